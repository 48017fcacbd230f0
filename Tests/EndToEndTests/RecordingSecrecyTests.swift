import BackendAPI
import BackendTransport
import CommandSupport
import DemoCommands
import Foundation
import MobileAuthentication
import MobileAuthenticationTestKit
import Octets
import Synchronization
import TestSupport
import Testing

@Suite("D-H2: recordings of real operations hold no secret", .serialized)
struct RecordingSecrecyTests {
    /// Notes everything of the exchanges that looks like a credential, before it is recorded.
    private final class Harvest: HTTPTransport {
        private let transport: any HTTPTransport
        private let found = Mutex<Set<String>>([])

        init(_ transport: any HTTPTransport) {
            self.transport = transport
        }

        var secrets: Set<String> { found.withLock { $0 } }

        func response(to request: BackendRequest) async throws(BackendTransportError) -> BackendResponse {
            note(request.headers, request.body)
            let response = try await transport.response(to: request)
            note(response.headers, response.body)
            return response
        }

        private func note(_ headers: HeaderFields, _ body: [UInt8]) {
            var texts = [String(decoding: body, as: UTF8.self)]
            for name in ["authorization", "device-signature", "cookie", "set-cookie"] {
                texts += headers.values(of: name)
            }
            for text in texts { note(text, depth: 0) }
        }

        /// Runs with a digit that are too long for a word, also inside of what they encode.
        private func note(_ text: String, depth: Int) {
            for run in text.matches(of: /[A-Za-z0-9_\-]{16,}/) where run.output.contains(where: \.isNumber) {
                _ = found.withLock { $0.insert(String(run.output)) }
                if depth < 3, let inner = try? Base64URL.decode(String(run.output), strictness: .lenient) {
                    if let text = String(validating: inner, as: UTF8.self) { note(text, depth: depth + 1) }
                }
            }
        }
    }

    @Test(
        "D-H2: codes, pushes, digits, tokens, signatures and cookies of a phone are in no file of its recording",
        .enabled(if: ForeignQRReader.isInstalled, "\(ForeignQRReader.absence)"))
    func outOfBand() async throws {
        let stage = try await OutOfBandStage(users: ["anna"])
        let folder = try TestSupport.TemporaryFolder()
        let harvest = Mutex<Harvest?>(nil)
        let phone = try await stage.phone(
            "phone",
            .init { transport in
                let harvester = Harvest(transport)
                harvest.withLock { $0 = harvester }
                return RecordingTransport(harvester, intoFolderAt: folder.path)
            })
        let push = try await stage.sink.registrationToken()
        let user = ScriptedUser(pin: Installation.pin)
        try await phone.register(
            scanning: try await stage.portal.register("anna", by: .pngQRCode).scanned(),
            DeviceInformation(name: "Anna's phone", fcmRegistrationToken: push), by: user)
        let answer = try await stage.portal.authenticate(
            "anna", at: try phone.target(of: "anna"), by: .firebaseCloudMessaging, confirming: "Pay", title: "Pay")
        let digits = try #require(answer.channelLinking?.digits)
        await MainActor.run { user.digits = digits }
        try await phone.answer(try phone.payload(pushed: try await stage.sink.message(for: push)), by: user)
        _ = try await phone.operations.authentication.username("anna").authenticatorSelector(user)
            .pinUserVerifier(user).perform()
        try await phone.operations.deviceInformationChange.name("Anna's new phone").perform()

        let secrets = try #require(harvest.withLock { $0 }).secrets.union([push, Installation.pin])
        #expect(secrets.count > 20)
        #expect(secrets.contains { $0.hasPrefix("eyJ") } && secrets.contains(push))
        let written = try texts(in: folder)
        #expect(written.count > 10 && written.contains { $0.contains(#""statusCode":1200"#) })
        for text in written {
            for secret in secrets { #expect(!text.contains(secret), "a recording holds \(secret)") }
            #expect(!text.contains(/digits[\\"]+:[\\"]*\d/), "a recording holds the digits")
        }
    }

    @Test("D-H2: password, PIN, token and cookies are in no recording and in nothing that the commands said")
    func commands() async throws {
        let installation = try Installation()
        let server = try await installation.server.start()
        let recordings = installation.scratch.url.appending(path: "recordings")
        let (phone, registration) = try await installation.registered("anna")
        #expect(registration.isDone, "\(registration.message)")
        let token = installation.scratch.url.appending(path: "token")
        let signedIn = try await phone.run(
            "authenticate", installation.authentication(of: "anna") + ["--token-out", token.path()],
            record: recordings.appending(path: "authenticate"))
        #expect(signedIn.isDone, "\(signedIn.message)")
        server.stop()
        _ = await server.ending()
        let jwt = try String(contentsOf: token, encoding: .utf8).split(separator: "\n").joined()
        #expect(jwt.split(separator: ".").count == 3)
        let parts = jwt.split(separator: ".").map(String.init)
        let secrets = [Installation.password, Installation.pin, jwt] + parts
        for (name, text) in try output(under: installation.scratch.url) {
            for secret in secrets { #expect(!text.contains(secret), "\(name) holds a secret") }
        }
    }

    // MARK: - Support

    private func texts(in folder: TestSupport.TemporaryFolder) throws -> [String] {
        try folder.names().map { String(decoding: try folder.bytes(of: $0), as: UTF8.self) }
    }

    /// Every file that was written, but for those that hold secrets on purpose.
    private func output(under folder: URL) throws -> [(name: String, text: String)] {
        let names = FileManager.default.enumerator(atPath: folder.path())?.compactMap { $0 as? String } ?? []
        return names.filter { $0 != "pin" && $0 != "token" && !$0.contains("password-of-") }.compactMap { name in
            FileManager.default.contents(atPath: folder.appending(path: name).path()).map {
                (name, String(decoding: $0, as: UTF8.self))
            }
        }
    }
}

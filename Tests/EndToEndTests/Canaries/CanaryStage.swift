import BackendAPI
import BackendTransport
import CommandSupport
import Crypto
import DemoCommands
import DeviceCommands
import Foundation
import MobileAuthentication
import MobileAuthenticationTestKit
import StrictJSON
import Synchronization
import Testing

/// A server that writes all it can, phones whose exchanges are recorded, and every story of them.
struct CanaryStage {
    static let wrongPassword = "canary-wrong-password-3b1d77"
    private static let newPIN = "761503"
    private static let wrongPIN = "618035"

    let stage: OutOfBandStage
    let harvest = SecretHarvest()
    private let log = KeptLog()
    private let watch = ArgumentWatch()

    init() async throws {
        stage = try await OutOfBandStage(
            users: ["anna", "bert"], settings: ["channel-linking: { digits: 8 }"], further: "log: { level: trace }\n")
        for pin in [Installation.pin, Self.newPIN, Self.wrongPIN] { harvest.add(.pin, pin) }
        for password in [Installation.password, Self.wrongPassword] { harvest.add(.password, password) }
        harvest.add(.accessKey, Portal.accessKey)
    }

    private var scratch: URL { stage.installation.scratch.url }

    /// Everything that was written; the folder of the test's own side comes second.
    var folders: [URL] { [scratch, stage.scratch.url] }

    // MARK: - The SDK

    /// Registers by a QR code, signs in, links, confirms, changes, fails and deregisters.
    func playSDK() async throws {
        let push = try await stage.sink.registrationToken()
        let recordings = scratch.appending(path: "recordings-of-anna").path()
        let phone = try await stage.phone(
            "phone-of-anna",
            .init(logger: log) { [harvest] transport in
                RecordingTransport(
                    HarvestingTransport(transport: transport, harvest: harvest), intoFolderAt: recordings)
            })
        let user = ScriptedUser(pin: Installation.pin)
        let code = try await invitation()
        try await phone.register(
            scanning: code, DeviceInformation(name: "anna's", fcmRegistrationToken: push), by: user)
        await keepingErrors {
            try await phone.register(scanning: code, DeviceInformation(name: "thief"), by: user)
        }
        try await signIn(phone, user)
        try await answerPush(on: phone, push, user)
        let link = try await begun(.link, at: try phone.target(of: "anna"))
        try await phone.answer(try phone.payload(scanning: try link.linked()), by: user)
        await keepingErrors { _ = try await phone.redeem(try phone.payload(scanning: try link.linked())) }
        await MainActor.run { user.newPin = Self.newPIN }
        try await phone.operations.pinChange.username("anna").pinChanger(user).perform()
        await MainActor.run { user.pin = Self.newPIN }
        await user.next(.wrongSecret)
        try await signIn(phone, user)
        try await phone.operations.deviceInformationChange.name("anna's new phone").disablePushNotifications().perform()
        try await phone.operations.deviceInformationChange.fcmRegistrationToken(push).perform()
        _ = await phone.operations.deviceInformationCheck.perform()
        try await phone.operations.deregistration.username("anna").authorizationProvider(JwsAuthorizationProvider())
            .perform()
    }

    private func signIn(_ phone: OutOfBandPhone, _ user: ScriptedUser) async throws {
        _ = try await phone.operations.authentication.username("anna").authenticatorSelector(user).pinUserVerifier(user)
            .perform()
    }

    /// One message is lost and found, the other one arrives.
    private func answerPush(on phone: OutOfBandPhone, _ push: String, _ user: ScriptedUser) async throws {
        let answer = try await begun(.firebaseCloudMessaging, at: try phone.target(of: "anna"))
        let digits = try #require(answer.channelLinking?.digits)
        await MainActor.run { user.digits = digits }
        let pending = await phone.operations.pendingOutOfBandOperations.perform()
        try await phone.answer(try #require(pending.operations.first).payload, by: user)
        let late = try await stage.sink.message(for: push)
        harvest.note(.string(late.payload), named: "")
        await keepingErrors { try await phone.answer(try phone.payload(pushed: late), by: user) }
    }

    /// The text of the code with which the portal lets the user register a phone.
    private func invitation() async throws -> String {
        let answer = try await stage.portal.register("anna", by: .pngQRCode)
        let code = try answer.scanned()
        harvest.add(.redeemToken, answer.token)
        harvest.add(.link, code)
        return code
    }

    /// What the portal gets for a text that the user has to confirm.
    private func begun(_ dispatcher: DispatcherName, at target: String) async throws -> DispatchAnswer {
        let answer = try await stage.portal.authenticate(
            "anna", at: target, by: dispatcher, confirming: "Pay 1", title: "Pay")
        harvest.add(.redeemToken, answer.token)
        harvest.add(.digits, answer.channelLinking?.digits)
        if dispatcher == .link { harvest.add(.link, try answer.linked()) }
        return answer
    }

    private func keepingErrors(_ body: () async throws -> Void) async {
        do {
            try await body()
            Issue.record("it did not fail")
        } catch {
            log.keep("\(error) \(String(reflecting: error)) \(error.localizedDescription)")
        }
    }
}

// MARK: - The programs

extension CanaryStage {
    /// The same by the programs: with a password, a token, pushes, a link, an invitation, and the way back from a lock.
    func playPrograms() async throws {
        let (installation, sink) = (stage.installation, stage.sink)
        let phone = try await installation.phone(
            "phone-of-bert", ["--push-sink", sink.address, "--push-ca", sink.authorityFile.path()])
        let pin = ["--pin-file", installation.pinFile.path()]
        let token = scratch.appending(path: "token").path()
        try await run(phone, "register", installation.registration(of: "bert"))
        try await run(phone, "authenticate", installation.authentication(of: "bert") + ["--token-out", token])
        harvest.add(.bearer, try String(contentsOfFile: token, encoding: .utf8).split(separator: "\n").joined())
        let target = try #require(
            try await administer("devices list", ["--user", "bert"]).result.objects("devices").first?.text("id"))
        let pushed = try await dispatch(
            "authenticate",
            ["--target", target, "--dispatcher", "firebase-cloud-messaging", "--channel-linking", "typed"])
        let message = scratch.appending(path: "push-message").path()
        try await run(phone, "listen", ["--out", message])
        harvest.note(.string(try String(contentsOfFile: message, encoding: .utf8)), named: "")
        let digits = try secretFile("digits", pushed.text("digits"))
        try await run(phone, "approve", [message, "--digits-file", digits] + pin)
        let link = try await dispatch("authenticate", ["--dispatcher", "link"])
        try await run(phone, "open", [try secretFile("link", link.text("link"))] + pin)
        try await run(
            phone, "pin change", ["--user", "bert", "--new-pin-file", try secretFile("new-pin", Self.newPIN)] + pin)
        try await run(phone, "info change", ["--name", "bert's new phone"])
        try await playRecovery(phone)
    }

    /// A forgotten PIN, a phone that deregisters itself, an invitation for the next one.
    private func playRecovery(_ phone: PhoneProcess) async throws {
        let installation = stage.installation
        let wrong = ["--user", "bert", "--pin-file", try secretFile("wrong-pin", Self.wrongPIN)]
        #expect(try await phone.run("authenticate", wrong, record: recording("wrong-pin")).isDone == false)
        try await run(phone, "deregister", ["--user", "bert", "--jws"])
        let picture = scratch.appending(path: "code.png").path()
        _ = try await dispatch("register", ["--out", picture])
        let other = try await installation.phone("second-phone-of-bert")
        try await run(other, "scan", [picture, "--pin-file", installation.pinFile.path()])
        let browser = try await Browser.logIn("bert", at: installation.server)
        harvest.add(.cookie, browser.session)
        #expect(try await browser.registrationStatus >= 1200)
        let refused = try await Browser.status(ofLogIn: "bert", password: Self.wrongPassword, at: installation.server)
        #expect(refused == 401)
    }

    /// The recording of one command; each has a folder of its own.
    private func recording(_ command: String) -> URL {
        let name = "\(command.filter { $0 != " " })-\(UUID().uuidString.prefix(8))"
        return scratch.appending(path: "recordings-of-bert-\(name)")
    }

    private func run(_ phone: PhoneProcess, _ command: String, _ arguments: [String]) async throws {
        let records = !["listen", "pin change"].contains(command)
        let outcome = try await phone.run(command, arguments, record: records ? recording(command) : nil)
        #expect(outcome.isDone, "\(command): \(outcome.message)")
    }

    private func administer(_ command: String, _ arguments: [String]) async throws -> CommandOutcome {
        let outcome = try await stage.installation.server.administer(command, arguments)
        #expect(outcome.isDone, "\(command): \(outcome.message)")
        return outcome
    }

    /// Begins an operation as the administrator; what the command answers is for its reader.
    private func dispatch(_ operation: String, _ arguments: [String]) async throws -> JSONObject {
        let result = try await administer(
            "dispatch \(operation)", ["--reason", "a test", "--user", "bert"] + arguments
        ).result
        harvest.add(.redeemToken, result.text("token"))
        harvest.add(.digits, result.text("digits"))
        harvest.add(.link, try result.text("link").map { try DispatchAnswer.payload(inLink: $0) })
        return result
    }

    private func secretFile(_ name: String, _ text: String?) throws -> String {
        let path = scratch.appending(path: name).path()
        try PrivateFile(path: path).write(try #require(text))
        return path
    }
}

// MARK: - The end

extension CanaryStage {
    /// Stops everything, exports the audit, and harvests the keys; returns the arguments of every process.
    func end() async throws -> [[UInt8]] {
        #expect(try await stage.installation.server.exportedAudit().count > 10)
        await stage.stop()
        try log.write(to: scratch.appending(path: "sdk.log"))
        let server = stage.installation.server.folder
        harvest.add(HarvestedSecret(.key, octets: try octets(server.appending(path: "data/master.key"))))
        for name in ["ca.key", "server.key"] { try addKey(server.appending(path: "data/tls/\(name)")) }
        for phone in ["phone-of-anna", "phone-of-bert", "second-phone-of-bert"] {
            for file in try files(named: "device-key", in: scratch.appending(path: phone)) {
                // Behind four letters and the version.
                harvest.add(HarvestedSecret(.key, octets: Array(try octets(file).dropFirst(5))))
            }
        }
        for file in try files(named: "push.json", in: scratch) { harvest.notePushToken(try octets(file)) }
        return watch.end()
    }

    private func addKey(_ file: URL) throws {
        let key = try P256.Signing.PrivateKey(pemRepresentation: String(contentsOf: file, encoding: .utf8))
        harvest.add(HarvestedSecret(.key, octets: Array(key.rawRepresentation)))
        let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
        harvest.add(.key, lines.count > 2 ? String(lines[2]) : nil)
    }

    private func octets(_ file: URL) throws -> [UInt8] { Array(try Data(contentsOf: file)) }

    private func files(named name: String, in folder: URL) throws -> [URL] {
        let all = FileManager.default.enumerator(atPath: folder.path())?.compactMap { $0 as? String } ?? []
        let found = all.filter { $0.split(separator: "/").last.map(String.init) == name }
        try #require(!found.isEmpty, "no file \(name)")
        return found.map { folder.appending(path: $0) }
    }
}

/// Keeps what the SDK says at every level, and errors beside it.
final class KeptLog: SDKLogger {
    private let text = Mutex("")

    func log(_ level: SDKLogLevel, _ category: SDKLogCategory, _ message: String, _ fields: [SDKLogField]) {
        keep("\(level) \(category) \(message) \(fields.map(\.description).joined(separator: " "))")
    }

    /// Keeps a line.
    func keep(_ line: String) { text.withLock { $0 += line + "\n" } }

    /// Writes everything so far.
    func write(to file: URL) throws { try Data(text.withLock { $0 }.utf8).write(to: file) }
}

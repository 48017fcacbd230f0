import BackendTransport
import CommandSupport
import DemoCommands
import Foundation
import MobileAuthentication
import MobileAuthenticationTestKit
import Octets
import Synchronization
import Testing

@Suite("A server that names another origin to redeem at than the one that phones know it by", .serialized)
struct RedeemOriginTests {
    /// The addresses that a phone has asked.
    private final class AddressLog: Sendable {
        private let kept = Mutex<[String]>([])

        /// The hosts of the redemptions, in order.
        var redemptions: [String?] { hosts { $0.contains("/token/redeem/") } }
        /// The hosts of everything else.
        var others: Set<String?> { Set(hosts { !$0.contains("/token/redeem/") }) }
        var isEmpty: Bool { kept.withLock { $0.isEmpty } }

        func keep(_ url: String) { kept.withLock { $0.append(url) } }

        private func hosts(_ isMeant: (String) -> Bool) -> [String?] {
            kept.withLock { $0 }.filter(isMeant).map { URL(string: $0)?.host() }
        }
    }

    /// The way to a server, with a log.
    private struct LoggedWay: HTTPTransport {
        let way: any HTTPTransport
        let log: AddressLog

        func response(to request: BackendRequest) async throws(BackendTransportError) -> BackendResponse {
            log.keep(request.url)
            return try await way.response(to: request)
        }
    }

    private static let person = ScriptedUser(pin: Installation.pin)

    /// A phone that knows its server as 127.0.0.1, and further origins.
    private func phone(
        _ name: String, of stage: OutOfBandStage, redeemingAt origins: [String]
    ) async throws -> (OutOfBandPhone, AddressLog) {
        var configuration = Configuration(idSuiteHostname: "127.0.0.1:\(stage.installation.server.port)")
        configuration.additionalRedeemOrigins = try origins.map { try #require(URL(string: $0)) }
        let log = AddressLog()
        let phone = try await stage.phone(
            name, .init(configuration: configuration, carrier: { LoggedWay(way: $0, log: log) }))
        return (phone, log)
    }

    /// A payload that says that its token is redeemed at an origin.
    private func payload(_ command: String, at origin: String, of stage: OutOfBandStage) async throws -> String {
        let outcome = try await stage.installation.server.administer(
            "dispatch \(command)", ["--reason", "a test", "--user", "anna", "--dispatcher", "link"])
        let link = try #require(outcome.result.text("link"), "\(outcome.message)")
        let payload = try #require(URLComponents(string: link)?.queryItems?.first?.value)
        let text = String(decoding: try Base64URL.decode(payload), as: UTF8.self)
        let other = text.replacing(stage.installation.server.address, with: origin)
        try #require(other != text)
        return Base64URL.encode(Array(other.utf8))
    }

    @Test(
        "One that the application lists is taken for a registration, a sign-in and a removal; it gets nothing but tokens"
    )
    func listed() async throws {
        let stage = try await OutOfBandStage(users: ["anna"])
        let second = "https://localhost:\(stage.installation.server.port)"
        let (phone, log) = try await phone("phone", of: stage, redeemingAt: ["https://gate.example", second])
        try await phone.register(
            scanning: try await payload("register", at: second, of: stage), DeviceInformation(name: "phone"),
            by: Self.person)
        #expect(phone.users == ["anna"])
        let login = try phone.payload(scanning: try await payload("authenticate", at: second, of: stage))
        try await phone.answer(login, by: Self.person)
        // The server is not taken for another one: a sign-in by the address that phones know works with the same key.
        _ = try await phone.operations.authentication.username("anna").authenticatorSelector(Self.person)
            .pinUserVerifier(Self.person).perform()
        let removal = try phone.payload(scanning: try await payload("deregister", at: second, of: stage))
        let step = try await phone.operations.outOfBandOperation.payload(removal)
            .deregistrationConfirmer(DeregistrationConfirmation.async { _ in true }).perform()
        #expect(phone.users.isEmpty)
        let isRemoval = if case .deregistration = step { true } else { false }
        #expect(isRemoval)
        #expect(log.redemptions == ["localhost", "localhost", "localhost"])
        #expect(log.others == ["127.0.0.1"])
    }

    @Test("One that is not listed is refused in words, before anything is sent; the token stays good")
    func unlisted() async throws {
        let stage = try await OutOfBandStage(users: ["anna"])
        let port = stage.installation.server.port
        let second = "https://localhost:\(port)"
        let code = try await payload("register", at: second, of: stage)
        // No origin at all, another port, another scheme: none of them stands for it.
        for (number, origins) in [[], ["https://localhost:\(port - 1)"], ["http://localhost:\(port)"]].enumerated() {
            let (phone, log) = try await phone("phone-\(number)", of: stage, redeemingAt: origins)
            let error = await #expect(throws: OutOfBandOperationError.self) {
                try await phone.register(scanning: code, DeviceInformation(name: "phone"), by: Self.person)
            }
            guard case .MalformedPayload(let cause as UnknownServerError)? = error else {
                Issue.record("another error: \(String(describing: error))")
                continue
            }
            #expect(cause.localizedDescription.contains("a server that this device does not know"))
            #expect(cause.recoverySuggestion?.contains("Configuration.additionalRedeemOrigins") == true)
            #expect(log.isEmpty && phone.users.isEmpty)
        }
        let (phone, _) = try await phone("phone", of: stage, redeemingAt: [second])
        try await phone.register(scanning: code, DeviceInformation(name: "phone"), by: Self.person)
        #expect(phone.users == ["anna"])
    }
}

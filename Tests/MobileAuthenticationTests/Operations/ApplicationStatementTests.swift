import BackendAPI
import BackendTransport
import Crypto
import Foundation
import HardwareKeys
import Locking
import MobileAuthenticationTestKit
import Testing
import UAF
import UAFClient

@testable import MobileAuthentication

@Suite("Statements about the application that go with responses")
struct ApplicationStatementTests {
    private static let registration = "/uaf/1.1/registration/"
    private static let authentication = "/uaf/1.1/authentication/"
    private static let paths = [registration, authentication]

    private struct Fault: Error {}

    /// Provider that remembers what it was asked.
    private final class Provider: AppAttestationProvider {
        private let asked = Lock<[(digest: [UInt8], server: String)]>([])
        private let left = Lock<[String]>([])
        private let answer: @Sendable () throws -> AppAttestationProof?

        init(_ answer: @escaping @Sendable () throws -> AppAttestationProof?) { self.answer = answer }

        var digests: [[UInt8]] { asked.withLock { $0.map { $0.digest } } }
        var servers: Set<String> { asked.withLock { Set($0.map { $0.server }) } }
        var forgotten: [String] { left.withLock { $0 } }

        func statement(about digest: [UInt8], for server: String) async throws -> AppAttestationProof? {
            asked.withLock { $0.append((digest, server)) }
            return try answer()
        }

        func forget(_ server: String) async { left.withLock { $0.append(server) } }
    }

    private static let id = [UInt8](repeating: 7, count: 32)

    private func phone(_ provider: Provider?) async throws -> TestPhone {
        try await TestPhone { $0.attestation = provider }
    }

    @Test("Without a provider, and where it has nothing to state, no statement goes with a response")
    func none() async throws {
        for provider in [nil, Provider { nil }] {
            let phone = try await phone(provider)
            try await phone.register()
            _ = try await phone.authenticate()
            #expect(phone.backend.contexts.count == 2)
            #expect(phone.backend.contexts.allSatisfy { $0.appAttestation == nil })
        }
    }

    @Test("Each response carries a statement about exactly what is sent")
    func statements() async throws {
        let provider = Provider { .key(id: Self.id, assertion: [1]) }
        let phone = try await phone(provider)
        try await phone.register()
        _ = try await phone.authenticate()
        let sent = try Self.paths.flatMap { phone.backend.requests(to: $0) }.map { try SendUAFResponse(body: $0.body) }
        #expect(provider.digests == sent.map { Array(SHA256.hash(data: Array($0.uafResponse.utf8))) })
        #expect(provider.servers == [ScriptedBackend.address])
        #expect(sent.count == 2 && provider.forgotten.isEmpty)
        for response in sent {
            #expect(try response.context().appAttestation == .appleKey(id: Self.id, assertion: [1]))
        }
    }

    @Test("The attestation of a new key is sent as such")
    func newKey() async throws {
        let phone = try await phone(Provider { .newKey(id: Self.id, attestation: [2]) })
        try await phone.register()
        #expect(phone.backend.contexts.last?.appAttestation == .newAppleKey(id: Self.id, attestation: [2]))
    }

    @Test("A provider that fails ends a registration with AppAttestationError; nothing is sent and no account is left")
    func failingRegistration() async throws {
        let phone = try await phone(Provider { throw Fault() })
        let error = await #expect(throws: OperationError.self) { try await phone.register() }
        guard case .AppAttestationError(let cause)? = error else {
            Issue.record("another error: \(String(describing: error))")
            return
        }
        #expect(cause is Fault)
        #expect(phone.backend.requests(to: Self.registration).isEmpty)
        #expect(phone.usernames.isEmpty)
    }

    @Test("A provider that fails ends an authentication with AppAttestationError; the key stays")
    func failingAuthentication() async throws {
        let isFailing = Lock(false)
        let phone = try await phone(
            Provider {
                if isFailing.withLock({ $0 }) { throw Fault() }
                return nil
            })
        try await phone.register()
        isFailing.withLock { $0 = true }
        let error = await #expect(throws: AuthenticationError.self) { try await phone.authenticate() }
        guard case .AppAttestationError(let cause)? = error else {
            Issue.record("another error: \(String(describing: error))")
            return
        }
        #expect(cause is Fault)
        #expect(phone.backend.requests(to: Self.authentication).isEmpty)
        isFailing.withLock { $0 = false }
        _ = try await phone.authenticate()
    }

    @Test("A server that does not take the statement, or misses one, ends with AppAttestationError and its status")
    func refusal() async throws {
        for provider in [nil, Provider { .key(id: Self.id, assertion: [1]) }] {
            let phone = try await phone(provider)
            phone.backend.script { $0.faults[Self.registration] = .uafStatus(.unacceptableAttestation) }
            let error = await #expect(throws: OperationError.self) { try await phone.register() }
            guard case .AppAttestationError(let cause as ServerStatus)? = error else {
                Issue.record("another error: \(String(describing: error))")
                return
            }
            #expect(cause.code == 1496)
            #expect(error?.errorDescription == cause.texts.description.localized)
            #expect(phone.usernames.isEmpty)
            #expect(provider?.forgotten ?? [ScriptedBackend.address] == [ScriptedBackend.address])
        }
    }

    @Test("Each server has a key of its own, and what one of them refuses is forgotten for that one alone")
    func servers() async throws {
        let provider = Provider { .key(id: Self.id, assertion: [1]) }
        let home = try #require(URL(string: "https://Bank.example:443/nevis"))
        let other = try #require(URL(string: "https://other.example"))
        let statements = ApplicationStatement(provider: provider, home: home)
        for address in [home, other, try #require(URL(string: "https://bank.example/nevis/"))] {
            _ = try await statements.statement(about: "response", for: ServerAddress(address))
        }
        #expect(provider.servers == [home.absoluteString, other.absoluteString])
        await statements.refused(by: ServerAddress(other))
        #expect(provider.forgotten == [other.absoluteString])
    }

    @Test("Another refusal leaves what was attested")
    func otherRefusal() async throws {
        let provider = Provider { .key(id: Self.id, assertion: [1]) }
        let phone = try await phone(provider)
        phone.backend.script { $0.faults[Self.registration] = .uafStatus(.unacceptableContent) }
        let error = await #expect(throws: OperationError.self) { try await phone.register() }
        #expect(error?.fidoErrorCode == .protocolError)
        #expect(provider.forgotten.isEmpty)
    }
}

import DeviceCheck
import Foundation
import HardwareKeys
import HardwareKeysApple
import Security
import Testing

@Suite("Statements about the application by App Attest")
struct AppAttestTests {
    private static let server = "https://login.example.com"
    private static let digest = [UInt8](repeating: 5, count: 32)

    /// Runs a test on a device of its own.
    private func onDevice(_ body: (StubDevice) async throws -> Void) async throws {
        let device = StubDevice()
        try await StubDevice.$current.withValue(device) { try await body(device) }
    }

    /// What the framework has stated, in words; the identifier has to be the key's.
    private func words(_ proof: AppAttestationProof?) throws -> [String] {
        let proof = try #require(proof)
        let (id, statement): ([UInt8], [UInt8]) =
            switch proof {
            case .newKey(let id, let attestation): (id, attestation)
            case .key(let id, let assertion): (id, assertion)
            }
        let words = String(decoding: statement, as: UTF8.self).split(separator: " ").map(String.init)
        #expect(Data(base64Encoded: words[1]) == Data(id))
        return words
    }

    private func kind(_ proof: AppAttestationProof?) -> String {
        switch proof {
        case .newKey: "new key"
        case .key: "key"
        case nil: "nothing"
        }
    }

    @Test("A key is attested once and then asserted, also by the application that starts anew; each server has its own")
    func once() async throws {
        try await onDevice { device in
            let first = try await AppAttest().statement(about: Self.digest, for: Self.server)
            let second = try await AppAttest().statement(about: Self.digest, for: Self.server)
            let third = try await AppAttest().statement(about: Self.digest, for: Self.server)
            #expect([first, second, third].map(kind) == ["new key", "key", "key"])
            let told = try [first, second, third].map { try words($0) }
            #expect(Set(told.map { $0[1] }).count == 1)
            #expect(told.map { $0[2] } == ["0", "1", "2"])
            #expect(told.allSatisfy { $0[3] == Data(Self.digest).base64EncodedString() })
            let other = try await AppAttest().statement(about: Self.digest, for: "https://other.example.com")
            #expect(kind(other) == "new key")
            #expect(device.with { $0.appAttestKeys.count } == 2)
        }
    }

    @Test("A key that is forgotten, or gone with a deleted application, is replaced and kept")
    func replacement() async throws {
        try await onDevice { device in
            let provider = AppAttest()
            _ = try await provider.statement(about: Self.digest, for: Self.server)
            await provider.forget(Self.server)
            #expect(try await kind(provider.statement(about: Self.digest, for: Self.server)) == "new key")
            #expect(try await kind(provider.statement(about: Self.digest, for: Self.server)) == "key")
            device.with { $0.appAttestKeys = [:] }
            #expect(try await kind(provider.statement(about: Self.digest, for: Self.server)) == "new key")
            #expect(try await kind(provider.statement(about: Self.digest, for: Self.server)) == "key")
            await provider.forget("https://never.example.com")
        }
    }

    @Test("Of two statements at once one makes the key")
    func concurrency() async throws {
        try await onDevice { device in
            let provider = AppAttest()
            async let one = provider.statement(about: Self.digest, for: Self.server)
            async let other = provider.statement(about: Self.digest, for: Self.server)
            let kinds = try await [one, other].map(kind)
            #expect(kinds.sorted() == ["key", "new key"])
            #expect(device.with { $0.appAttestKeys.count } == 1)
        }
    }

    @Test("A device without App Attest, errors of the framework and of the keychain are told, and keep nothing")
    func failures() async throws {
        try await onDevice { device in
            let provider = AppAttest()
            device.with { $0.hasAppAttest = false }
            await #expect(throws: AppAttest.Failure.unsupported) {
                try await provider.statement(about: Self.digest, for: Self.server)
            }
            device.with { state in
                state.hasAppAttest = true
                state.appAttestFailure = DCError.Code.serverUnavailable.rawValue
            }
            let error = await #expect(throws: DCError.self) {
                try await provider.statement(about: Self.digest, for: Self.server)
            }
            #expect(error?.code == .serverUnavailable)
            device.with { state in
                state.appAttestFailure = nil
                state.isBeforeFirstUnlock = true
            }
            await #expect(throws: KeyVaultError.self) {
                try await provider.statement(about: Self.digest, for: Self.server)
            }
            device.with { $0.isBeforeFirstUnlock = false }
            let statement = try await provider.statement(about: Self.digest, for: Self.server)
            #expect(kind(statement) == "new key")
        }
    }
}

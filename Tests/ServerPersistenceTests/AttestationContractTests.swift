import DeviceAttestation
import ServerCore
import TestSupport
import Testing
import UAF

/// Contract of the transaction port, kept by the storage and by the values in memory on which rules are tested.
@Suite("Keys of App Attest and attested credentials in a transaction, in memory, in SQLite and in PostgreSQL")
struct AttestationContractTests {
    private static func key(_ number: UInt8 = 9, counter: UInt32 = 0) -> AppAttestKey {
        AppAttestKey(
            publicKey: [4, number], keyID: [UInt8](repeating: number, count: 32), application: "T.é",
            environment: .development, receipt: [0, number], counter: counter)
    }

    private func id(of key: AppAttestKey) throws -> AppAttestKeyID { try #require(AppAttestKeyID(stored: key.keyID)) }

    private func stored(_ key: AppAttestKey, on stage: ContractStage) async throws -> AppAttestKey? {
        let id = try id(of: key)
        return try await stage.read { snapshot throws(ServerTransactionFailure) in try snapshot.appAttestKey(id) }
    }

    /// Whether a key is added at a time of so many seconds after the beginning.
    private func insert(_ key: AppAttestKey, on stage: ContractStage, at seconds: Int = 0) async throws -> Bool {
        let time = stage.now + .seconds(seconds)
        return try await stage.write { transaction throws(ServerTransactionFailure) in
            try transaction.insert(key, at: time)
        }
    }

    private func raise(_ key: AppAttestKey, to counter: UInt32, on stage: ContractStage) async throws -> Bool {
        let (id, time) = (try id(of: key), stage.now + .seconds(60))
        return try await stage.write { transaction throws(ServerTransactionFailure) in
            try transaction.raiseCounter(of: id, to: counter, at: time)
        }
    }

    @Test("A key is added once, and found as it was added", arguments: ContractStorage.allCases)
    func addition(storage: ContractStorage) async throws {
        let stage = try await ContractStage(storage)
        let key = Self.key()
        #expect(try await stored(key, on: stage) == nil)
        #expect(try await insert(key, on: stage))
        #expect(try await stored(key, on: stage) == key)
        #expect(try await !insert(Self.key(counter: 5), on: stage))
        #expect(try await stored(key, on: stage) == key)
    }

    @Test("A counter moves forwards only, and an unknown one does not move", arguments: ContractStorage.allCases)
    func counters(storage: ContractStorage) async throws {
        let stage = try await ContractStage(storage)
        let key = Self.key(counter: 5)
        _ = try await insert(key, on: stage)
        for counter: UInt32 in [0, 4, 5] { #expect(try await !raise(key, to: counter, on: stage)) }
        #expect(try await stored(key, on: stage)?.counter == 5)
        #expect(try await raise(key, to: .max, on: stage))
        #expect(try await !raise(key, to: .max, on: stage))
        #expect(try await stored(key, on: stage)?.counter == .max)
        #expect(try await !raise(Self.key(1), to: 1, on: stage))
    }

    @Test("Keys are forgotten by their last use, the oldest first", arguments: ContractStorage.allCases)
    func forgetting(storage: ContractStorage) async throws {
        let stage = try await ContractStage(storage)
        let (oldest, old, used, fresh) = (Self.key(1), Self.key(2), Self.key(3), Self.key(4))
        for (key, seconds) in [(oldest, 0), (old, 1), (used, 2), (fresh, 50)] {
            _ = try await insert(key, on: stage, at: seconds)
        }
        #expect(try await raise(used, to: 1, on: stage))
        let time = stage.now + .seconds(50)
        func forget() async throws -> Int {
            try await stage.write { transaction throws(ServerTransactionFailure) in
                try transaction.forgetAppAttestKeys(unusedSince: time, limit: 1)
            }
        }
        #expect(try await forget() == 1)
        #expect(try await stored(oldest, on: stage) == nil)
        #expect(try await stored(old, on: stage) != nil)
        #expect(try await forget() == 1)
        #expect(try await forget() == 0)
        #expect(try await stored(old, on: stage) == nil)
        #expect(try await stored(used, on: stage) != nil)
        #expect(try await stored(fresh, on: stage) != nil)
    }

    @Test(
        "A credential has the attestation that was last set, until it is removed",
        arguments: ContractStorage.allCases)
    func attestations(storage: ContractStorage) async throws {
        let stage = try await ContractStage(storage)
        let (credential, other) = (try stage.credential(), try stage.credential())
        let (one, two) = (try id(of: Self.key(1)), try id(of: Self.key(2)))
        let (registration, user, now) = (credential.credential.registrationID, stage.jeff.id, stage.now)
        let found = try await stage.write { transaction throws(ServerTransactionFailure) in
            for credential in [credential, other] { _ = try transaction.insert(credential) }
            var found: [CredentialAttestation?] = [try transaction.attestation(of: registration)]
            for attestation: CredentialAttestation in [.appleKey(one), .androidKey, .appleKey(two)] {
                try transaction.set(attestation, of: registration)
                found.append(try transaction.attestation(of: registration))
            }
            found.append(try transaction.attestation(of: other.credential.registrationID))
            _ = try transaction.removeCredential(registration, of: user, at: now)
            found.append(try transaction.attestation(of: registration))
            return found
        }
        #expect(found == [nil, .appleKey(one), .androidKey, .appleKey(two), nil, nil])
    }
}

import HardwareKeys
import Octets
import SecureStorage
import Testing

@testable import Authenticators

@Suite("What protects a key, as the credential file holds it")
struct CredentialProtectionTests {
    @Test("Every protection comes back as it was")
    func roundTrip() throws {
        let record = SecretRecord.fresh(try SecretProtection.cheap().cost)
        let gates = [UserGate.devicePasscode, .biometryAny, .biometryCurrentSet, .userPresence]
        let all =
            [CredentialProtection.secret(SecretLock(record: record, lockout: .unlocked))]
            + gates.flatMap { gate in
                [nil, [UInt8](repeating: 5, count: 32)].map {
                    CredentialProtection.presence(PresenceLock(gate: gate, enrollmentDigest: $0))
                }
            }
        for protection in all {
            var reader = OctetReader(octets(of: protection))
            #expect(try CredentialProtection(from: &reader) == protection)
            try reader.finish()
        }
    }

    @Test("Unknown kinds, gates and flags are refused, and records that are cut")
    func refused() {
        let digest = [UInt8](repeating: 5, count: 32)
        for octets in [[0], [3], [2, 0, 0], [2, 5, 0], [2, 1, 2], [2, 1, 2] + digest] as [[UInt8]] {
            var reader = OctetReader(octets)
            #expect(throws: CredentialStoreError.damaged) { try CredentialProtection(from: &reader) }
        }
        for octets in [[], [1], [1, 0], [2], [2, 1], [2, 1, 1], [2, 1, 1] + digest.dropLast()] as [[UInt8]] {
            var reader = OctetReader(octets)
            #expect(throws: OctetError.self) { try CredentialProtection(from: &reader) }
        }
    }

    @Test("Every choice of options comes back as it was; other bits are refused")
    func options() {
        for bits in UInt8.min...UInt8.max {
            #expect(VerificationOptions(bits: bits)?.bits == (bits < 8 ? bits : nil))
        }
        #expect(VerificationOptions().bits == 2)
    }

    @Test("Of the errors of the storage only what was found in the file is damage")
    func storageErrors() {
        for error in [
            SecureStorageError.conflict, .storageCorrupted, .unknownStorage, .passphraseMismatch, .unknownKey,
        ] {
            #expect(CredentialStoreError(error) == .damaged)
        }
        let others: [(SecureStorageError, CredentialStoreError)] = [
            (.userCancelled, .vault(.userPresence(.cancelled))),
            (.dataLocked, .vault(.deviceLocked)), (.notLoaded, .vault(.wrongUse)),
            (.userPresenceFailed(.expired), .vault(.userPresence(.expired))),
        ]
        for (error, expected) in others { #expect(CredentialStoreError(error) == expected) }
    }

    private func octets(of protection: CredentialProtection) -> [UInt8] {
        var writer = OctetWriter()
        protection.write(to: &writer)
        return writer.bytes
    }
}

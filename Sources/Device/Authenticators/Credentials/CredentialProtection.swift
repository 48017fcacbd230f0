import HardwareKeys
import Octets

/// User verification that guards the use of a key.
enum CredentialProtection: Hashable, Sendable {
    /// A PIN or password.
    case secret(SecretLock)
    /// The operating system's word that the user is there.
    case presence(PresenceLock)
}

extension CredentialProtection {
    /// Appends the kind of protection; then record and attempts of a secret, or the gate and, where there is one, the
    /// digest of what was enrolled.
    func write(to writer: inout OctetWriter) {
        switch self {
        case .secret(let lock):
            writer.writeUInt8(1)
            lock.record.write(to: &writer)
            lock.lockout.write(to: &writer)
        case .presence(let lock):
            writer.writeUInt8(2)
            writer.writeUInt8(lock.gate.rawValue)
            writer.writeUInt8(lock.enrollmentDigest == nil ? 0 : 1)
            writer.write(lock.enrollmentDigest ?? [])
        }
    }

    init(from reader: inout OctetReader) throws {
        switch try reader.readUInt8() {
        case 1:
            self = .secret(
                SecretLock(record: try SecretRecord(from: &reader), lockout: try LockoutState(from: &reader)))
        case 2:
            guard let gate = UserGate(rawValue: try reader.readUInt8()) else { throw CredentialStoreError.damaged }
            let digest = try Self.readDigest(&reader)
            self = .presence(PresenceLock(gate: gate, enrollmentDigest: digest))
        default: throw CredentialStoreError.damaged
        }
    }

    private static func readDigest(_ reader: inout OctetReader) throws -> [UInt8]? {
        switch try reader.readUInt8() {
        case 0: nil
        case 1: Array(try reader.read(count: PresenceLock.digestByteCount))
        default: throw CredentialStoreError.damaged
        }
    }
}

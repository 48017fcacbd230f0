import HardwareKeys
import Octets
import SecureStorage
import UAF

/// How everything lies in a secure storage: the entry `device`, and one of each credential, named after its key.
///
/// An update writes the entries that changed; most change one credential.
extension StoredCredentials {
    private static let deviceName = "device"

    /// Puts what differs from `before` into a draft; everything when there was nothing.
    func write(
        to draft: inout SecureStorage.Draft, inPlaceOf before: StoredCredentials?
    ) throws(SecureStorageError) {
        if before?.deviceOctets != deviceOctets { try Self.put(deviceOctets, into: &draft, as: Self.deviceName) }
        let old = Dictionary((before?.entries ?? []).map { ($0.key, $0) }) { first, _ in first }
        for entry in entries where old[entry.key] != entry {
            var writer = OctetWriter()
            entry.write(to: &writer)
            try Self.put(writer.bytes, into: &draft, as: Self.name(of: entry.key))
        }
        for key in Set(old.keys).subtracting(entries.map(\.key)) { try draft.remove(forKey: Self.name(of: key)) }
    }

    /// Reads what ``write(to:inPlaceOf:)`` put; the storage vouches for the bytes, and still nothing is taken on trust.
    ///
    /// Throws `storageCorrupted` for everything that it does not write.
    init(readFrom draft: borrowing SecureStorage.Draft) throws(SecureStorageError) {
        do {
            var device = try draft.getBytes(forKey: Self.deviceName)
            defer { SecretOctets.wipe(&device) }
            var (contents, keys) = try Self.readDevice(device)
            guard draft.count == keys.count + 1 else { throw CredentialStoreError.damaged }
            for key in keys {
                var octets = try draft.getBytes(forKey: Self.name(of: key))
                defer { SecretOctets.wipe(&octets) }
                var reader = OctetReader(octets)
                let entry = try StoredCredential(from: &reader)
                try reader.finish()
                guard entry.key == key else { throw CredentialStoreError.damaged }
                contents.adopt(entry)
            }
            self = contents
        } catch {
            throw .storageCorrupted
        }
    }

    private static func name(of key: KeyReference) -> String {
        "credential-" + Hex.encode(key.bytes)
    }

    private static func put(
        _ octets: consuming [UInt8], into draft: inout SecureStorage.Draft, as name: String
    ) throws(SecureStorageError) {
        defer { SecretOctets.wipe(&octets) }
        try draft.putBytes(octets, forKey: name)
    }
}

import HardwareKeys
import Octets

/// The two keys that this installation has for one server: they belong to no account and need no user.
struct StoredServerKeys: Hashable, Sendable {
    /// The base address of the server, as the credentials of its accounts spell it.
    let server: String
    let signing: KeyReference
    let agreement: KeyReference
    let publicKeys: DevicePublicKeys

    static let countLimit = 32
}

extension StoredServerKeys {
    /// Appends the number of servers; of each its address with its length, the names of both keys and their points.
    static func write(_ servers: [StoredServerKeys], to writer: inout OctetWriter) {
        writer.writeUInt32LittleEndian(UInt32(servers.count))
        for keys in servers {
            writer.writeCounted(Array(keys.server.utf8))
            writer.write(keys.signing.bytes)
            writer.write(keys.agreement.bytes)
            writer.write(keys.publicKeys.signing)
            writer.write(keys.publicKeys.agreement)
        }
    }

    static func read(from reader: inout OctetReader) throws -> [StoredServerKeys] {
        let count = try reader.readUInt32LittleEndian()
        guard count <= countLimit else { throw CredentialStoreError.damaged }
        var servers: [StoredServerKeys] = []
        for _ in 0..<count {
            let server = String(validUTF8: try reader.readCounted())
            let signing = KeyReference(bytes: Array(try reader.read(count: KeyReference.byteCount)))
            let agreement = KeyReference(bytes: Array(try reader.read(count: KeyReference.byteCount)))
            let points = DevicePublicKeys(
                signing: Array(try reader.read(count: DevicePublicKeys.byteCount)),
                agreement: Array(try reader.read(count: DevicePublicKeys.byteCount)))
            guard let server, let signing, let agreement, let points else { throw CredentialStoreError.damaged }
            servers.append(
                StoredServerKeys(server: server, signing: signing, agreement: agreement, publicKeys: points))
        }
        return servers
    }
}

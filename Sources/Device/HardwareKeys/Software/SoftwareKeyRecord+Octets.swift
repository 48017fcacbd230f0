import Octets

/// The record as bytes: use with algorithm, authorisation, its parameter (limit or gate), failures; then public key and
/// private key, each behind its length (two bytes, least significant first).
extension SoftwareKeyRecord {
    var octets: [UInt8] {
        requirements.octets + [failures] + Self.counted(publicKey) + Self.counted(privateKey)
    }

    /// Reads what ``octets`` made; it was authenticated, and still nothing is taken on trust.
    init(octets: [UInt8]) throws(KeyVaultError) {
        var reader = OctetReader(octets)
        do {
            let requirements = KeyRequirements(octets: try reader.read(count: KeyRequirements.byteCount))
            let failures = try reader.readUInt8()
            let publicKey = try Self.readCounted(&reader, atMost: Self.publicKeyByteLimit)
            let privateKey = try Self.readCounted(&reader, atMost: Self.privateKeyByteLimit)
            try reader.finish()
            guard let requirements else { throw KeyVaultError.damaged }
            self.init(
                requirements: requirements, publicKey: publicKey, privateKey: privateKey, failures: failures)
        } catch {
            throw .damaged
        }
    }
    private static func counted(_ octets: [UInt8]) -> [UInt8] {
        [UInt8(truncatingIfNeeded: octets.count), UInt8(truncatingIfNeeded: octets.count >> 8)] + octets
    }

    private static func readCounted(_ reader: inout OctetReader, atMost limit: Int) throws -> [UInt8] {
        let count = Int(try reader.readUInt8()) | Int(try reader.readUInt8()) << 8
        guard count <= limit else { throw KeyVaultError.damaged }
        return Array(try reader.read(count: count))
    }
}

import Octets

/// The record as bytes: use, authorisation, its parameter (limit or gate), failures, public key, private key.
extension SoftwareKeyRecord {
    var octets: [UInt8] {
        requirements.octets + [failures] + publicKey + privateKey
    }

    /// Reads what ``octets`` made; it was authenticated, and still nothing is taken on trust.
    init(octets: [UInt8]) throws(KeyVaultError) {
        var reader = OctetReader(octets)
        do {
            let requirements = KeyRequirements(octets: try reader.read(count: KeyRequirements.byteCount))
            let failures = try reader.readUInt8()
            let publicKey = Array(try reader.read(count: Self.publicKeyByteCount))
            let privateKey = Array(try reader.read(count: Self.privateKeyByteCount))
            try reader.finish()
            guard let requirements else { throw KeyVaultError.damaged }
            self.init(
                requirements: requirements, publicKey: publicKey, privateKey: privateKey, failures: failures)
        } catch {
            throw .damaged
        }
    }
}

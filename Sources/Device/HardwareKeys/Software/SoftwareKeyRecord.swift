import Octets

/// One key as its file holds it; the private key in it is sealed, under the secret of the key where it has one.
struct SoftwareKeyRecord: Hashable, Sendable {
    static let publicKeyByteLimit = 294
    static let privateKeyByteLimit = SoftwarePrivateKey.byteLimit + VaultSeal.overhead

    let requirements: KeyRequirements
    /// SubjectPublicKeyInfo (DER).
    let publicKey: [UInt8]
    /// Bytes of the private key as sealed by ``VaultSeal``.
    var privateKey: [UInt8]
    /// Wrong secrets in a row; stays 0 where they are not counted.
    private(set) var failures: UInt8

    init(requirements: KeyRequirements, publicKey: [UInt8], privateKey: [UInt8], failures: UInt8 = 0) {
        self.requirements = requirements
        self.publicKey = publicKey
        self.privateKey = privateKey
        self.failures = failures
    }

    /// Attempt count and limit; nil where attempts are not counted.
    var attempts: KeyAttempts? {
        guard case .countedSecret(let limit) = requirements.authorization else { return nil }
        return KeyAttempts(failures: failures, limit: limit)
    }

    /// Counts a try that is about to be made, where tries are counted.
    mutating func countAttempt() throws(KeyVaultError) {
        guard let attempts else { return }
        guard !attempts.isExhausted else { throw .lockedOut }
        failures += 1
    }

    /// Forgets the tries, because the last one was right.
    mutating func succeed() { failures = 0 }
}

extension KeyRequirements.Authorization {
    var takesSecret: Bool {
        switch self {
        case .secret, .countedSecret: true
        case .open, .userPresence: false
        }
    }
}

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

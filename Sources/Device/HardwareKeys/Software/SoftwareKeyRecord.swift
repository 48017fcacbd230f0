/// One key as its file holds it; the private key in it is sealed, under the secret of the key where it has one.
struct SoftwareKeyRecord: Hashable, Sendable {
    /// The most bytes of ``publicKey``.
    static let publicKeyByteLimit = 294
    /// The most bytes of ``privateKey``.
    static let privateKeyByteLimit = SoftwarePrivateKey.byteLimit + DeviceSeal.overhead

    let requirements: KeyRequirements
    /// SubjectPublicKeyInfo (DER).
    let publicKey: [UInt8]
    /// What ``DeviceSeal`` made of the bytes of the private key.
    var privateKey: [UInt8]
    /// Wrong secrets in a row; stays 0 where they are not counted.
    private(set) var failures: UInt8

    init(requirements: KeyRequirements, publicKey: [UInt8], privateKey: [UInt8], failures: UInt8 = 0) {
        self.requirements = requirements
        self.publicKey = publicKey
        self.privateKey = privateKey
        self.failures = failures
    }

    /// How the attempts stand; nil where they are not counted.
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
    mutating func succeed() {
        failures = 0
    }
}

extension KeyRequirements.Authorization {
    /// Whether each use takes a secret.
    var takesSecret: Bool {
        switch self {
        case .secret, .countedSecret: true
        case .open, .userPresence: false
        }
    }
}

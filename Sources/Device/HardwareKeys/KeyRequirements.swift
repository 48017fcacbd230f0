/// Capabilities of a new key, and the authorisation that each use of it takes.
///
/// ```swift
/// let open = KeyRequirements()  // Signing on P-256, for every caller of the vault.
/// let behindPIN = KeyRequirements(authorization: .countedSecret(limit: 5))
/// let behindFinger = KeyRequirements(authorization: .userPresence(.biometryCurrentSet))
/// let receiving = KeyRequirements(use: .agreement)
/// ```
public struct KeyRequirements: Hashable, Sendable {
    /// The one use of a key; a signing key agrees on nothing and the reverse.
    @nonexhaustive
    public enum Use: Hashable, Sendable {
        /// Signatures over SHA-256, as the algorithm of the key makes them.
        case signing
        /// Shared secrets with ECDH on P-256 (SP 800-56A, one ephemeral and one static key).
        case agreement
    }

    /// Key algorithm and size.
    @nonexhaustive
    public enum Algorithm: Hashable, Sendable {
        /// The curve P-256: ECDSA with SHA-256 for signatures, ECDH for agreement. Every vault has it.
        case p256
        /// RSA with 2,048 bits: PKCS#1 v1.5 signatures with SHA-256. Only a ``SoftwareKeyVault`` has it, for signing.
        case rsa2048
    }

    /// Authorisation that the vault demands before it uses a key.
    @nonexhaustive
    public enum Authorization: Hashable, Sendable {
        /// Nothing: a caller that may use the vault may use the key.
        case open
        /// A secret that cannot be guessed; wrong ones are refused and not counted.
        case secret
        /// A secret that the user remembers: after `limit` wrong ones in a row the key can never be used again.
        ///
        /// A right one sets the count back to zero. `limit` is 1 to 255.
        case countedSecret(limit: UInt8)
        /// The user at the device, as the gate says.
        case userPresence(UserGate)
    }

    /// The one use of the key.
    public let use: Use
    /// Key algorithm and size.
    public let algorithm: Algorithm
    /// Authorisation demanded for each use.
    public let authorization: Authorization

    /// Requires a key for one use.
    public init(use: Use = .signing, algorithm: Algorithm = .p256, authorization: Authorization = .open) {
        self.use = use
        self.algorithm = algorithm
        self.authorization = authorization
    }
}

/// Requirements as vaults write them into their records: use with algorithm, authorisation, its parameter (limit or
/// gate).
extension KeyRequirements {
    package static let byteCount = 3

    package var octets: [UInt8] {
        let (kind, parameter) = authorization.numbers
        return [purposeNumber, kind, parameter]
    }

    package init?(octets: some Collection<UInt8>) {
        let bytes = Array(octets)
        guard bytes.count == Self.byteCount, let purpose = Self.purpose(bytes[0]),
            let authorization = Authorization(bytes[1], bytes[2])
        else { return nil }
        self.init(use: purpose.use, algorithm: purpose.algorithm, authorization: authorization)
    }

    private var purposeNumber: UInt8 {
        switch (use, algorithm) {
        case (.signing, .p256): 1
        case (.agreement, _): 2
        case (.signing, .rsa2048): 3
        }
    }

    private static func purpose(_ number: UInt8) -> (use: Use, algorithm: Algorithm)? {
        switch number {
        case 1: (.signing, .p256)
        case 2: (.agreement, .p256)
        case 3: (.signing, .rsa2048)
        default: nil
        }
    }
}

extension KeyRequirements.Authorization {
    fileprivate var numbers: (kind: UInt8, parameter: UInt8) {
        switch self {
        case .open: (0, 0)
        case .secret: (1, 0)
        case .countedSecret(let limit): (2, limit)
        case .userPresence(let gate): (3, gate.rawValue)
        }
    }

    fileprivate init?(_ kind: UInt8, _ parameter: UInt8) {
        switch (kind, parameter) {
        case (0, 0): self = .open
        case (1, 0): self = .secret
        case (2, 1...): self = .countedSecret(limit: parameter)
        case (3, _):
            guard let gate = UserGate(rawValue: parameter) else { return nil }
            self = .userPresence(gate)
        default: return nil
        }
    }
}

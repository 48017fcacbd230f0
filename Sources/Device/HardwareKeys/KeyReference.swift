/// The name of a key in its vault; it says nothing about the key and is no secret.
public struct KeyReference: Hashable, Sendable {
    /// Number of bytes of ``bytes``.
    public static let byteCount = 16

    /// The name, 16 bytes.
    public let bytes: [UInt8]

    /// Takes a stored name; nil unless it has ``byteCount`` bytes.
    public init?(bytes: [UInt8]) {
        guard bytes.count == Self.byteCount else { return nil }
        self.bytes = bytes
    }

    /// A new name that no other key has.
    public static func fresh() -> KeyReference {
        KeyReference(fresh: FreshOctets.make(count: byteCount))
    }

    private init(fresh bytes: [UInt8]) { self.bytes = bytes }
}

/// Authorisation that a caller presents to a vault for the use of a key.
///
/// It has to be exactly what the key asks for: anything else is ``KeyVaultError/wrongUse``, and for a key behind a gate
/// ``KeyVaultError/userPresence(_:)`` with ``UserPresenceError/mismatch``; neither is counted.
public enum KeyAuthorization: Sendable {
    /// Nothing, for keys that are open.
    case none
    /// The secret of the key.
    case secret(VaultSecret)
    /// The proof that the user was there.
    case userPresence(UserPresenceProof)
}

/// Count of wrong secrets of a key since the last right one, and its limit.
public struct KeyAttempts: Hashable, Sendable {
    /// Wrong secrets in a row.
    public let failures: UInt8
    /// Limit of wrong secrets; at this number the key can never be used again.
    public let limit: UInt8

    /// Creates a count, for implementations of ``KeyVault``.
    public init(failures: UInt8, limit: UInt8) {
        self.failures = failures
        self.limit = limit
    }

    /// Whether the key can never be used again.
    public var isExhausted: Bool { failures >= limit }
}

/// Location of a vault's keys; the raw value is what files record.
@nonexhaustive
public enum KeyProvider: UInt8, Hashable, Sendable {
    /// In a file that the operating system's access rights protect; a copy of the file is a copy of the keys.
    case software = 1
    /// In a TPM 2.0 chip.
    case trustedPlatformModule = 2
    /// In the Secure Enclave of an Apple device.
    case secureEnclave = 3

    /// Whether the keys lie in a chip that uses them but does not give them out.
    public var isSecureHardware: Bool { self != .software }
}

extension KeyProvider: CustomStringConvertible {
    /// Name of the case.
    public var description: String {
        switch self {
        case .software: "software"
        case .trustedPlatformModule: "trustedPlatformModule"
        case .secureEnclave: "secureEnclave"
        }
    }
}

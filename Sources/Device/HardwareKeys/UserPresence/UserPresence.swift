/// User verification by the platform.
///
/// SecureStorage, authenticators and vaults ask it before they open what is behind a ``UserGate``. Applications get one
/// from the platform; tests script one. Every call may wait for the user and ends when its task is cancelled.
///
/// ```swift
/// let proof = try await presence.confirm(.userPresence, prompt: PresencePrompt(reason: "Open the vault"))
/// let secret = try await vault.unseal(sealed, authorizedBy: .userPresence(proof))
/// ```
public protocol UserPresence: Sendable {
    /// Asks the user to verify themselves, in the platform's own words, and returns the proof.
    ///
    /// Throws ``UserPresenceError``.
    func confirm(_ gate: UserGate) async throws(UserPresenceError) -> UserPresenceProof

    /// Asks the user to verify themselves, in the words of the caller, and returns the proof.
    ///
    /// Throws ``UserPresenceError``.
    func confirm(_ gate: UserGate, prompt: PresencePrompt) async throws(UserPresenceError) -> UserPresenceProof

    /// A digest of the fingers or faces that are enrolled now, 32 bytes; it differs when one is added or removed.
    ///
    /// Throws ``UserPresenceError/unavailable`` when there is no sensor or none is enrolled.
    func enrollmentDigest() async throws(UserPresenceError) -> [UInt8]
}

extension UserPresence {
    /// Asks as ``confirm(_:)`` does, for a platform that shows its own words only.
    ///
    /// Throws ``UserPresenceError``.
    public func confirm(
        _ gate: UserGate, prompt: PresencePrompt
    ) async throws(UserPresenceError) -> UserPresenceProof {
        try await confirm(gate)
    }
}

/// Errors of a user verification.
@nonexhaustive
public enum UserPresenceError: Error, Hashable, Sendable {
    /// The user declined: leave it, or ask again when they want.
    case cancelled
    /// The user wants another method instead: offer it, or ask again.
    case fallbackChosen
    /// The finger, face or passcode was wrong: ask again.
    case mismatch
    /// The platform accepts no more tries for the time being: ask for the passcode, or later.
    case lockedOut
    /// There is no sensor, no passcode, or nothing is enrolled: choose another gate.
    case unavailable
    /// The enrolment has changed since the gate was set: what is behind it is lost for good.
    case enrollmentChanged
    /// The last proof is too old: ask again.
    case expired
    /// The user did not answer in time, or the service of the platform is gone: try again.
    case notResponding
}

extension UserPresenceError: CustomStringConvertible {
    /// Name of the case.
    public var description: String {
        switch self {
        case .cancelled: "cancelled"
        case .fallbackChosen: "fallbackChosen"
        case .mismatch: "mismatch"
        case .lockedOut: "lockedOut"
        case .unavailable: "unavailable"
        case .enrollmentChanged: "enrollmentChanged"
        case .expired: "expired"
        case .notResponding: "notResponding"
        }
    }
}

/// Proof that the user passed a ``UserGate`` just now.
///
/// On Linux it is a statement of this process; on Apple platforms it carries the authenticated context that the Secure
/// Enclave checks itself.
public struct UserPresenceProof: Sendable {
    /// Gate that the user passed.
    public let gate: UserGate
    /// Platform-specific proof for the vault (an authenticated context); nil where none is needed.
    public let context: (any Sendable)?

    /// Creates a proof; only a ``UserPresence`` does, after the user has passed the gate.
    public init(gate: UserGate, context: (any Sendable)? = nil) {
        self.gate = gate
        self.context = context
    }
}

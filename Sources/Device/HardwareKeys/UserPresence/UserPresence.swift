/// The way to the person in front of the device.
///
/// SecureStorage, authenticators and vaults ask it before they open what is behind a ``UserGate``. Applications get one
/// from the platform; tests script one. Every call may wait for the user and ends when its task is cancelled.
public protocol UserPresence: Sendable {
    /// Asks the user to show that he is there, in words of the platform's own, and returns the proof.
    ///
    /// Throws ``UserPresenceError``.
    func confirm(_ gate: UserGate) async throws(UserPresenceError) -> UserPresenceProof

    /// Asks the user to show that he is there, in the words of the caller, and returns the proof.
    ///
    /// Throws ``UserPresenceError``.
    func confirm(_ gate: UserGate, prompt: PresencePrompt) async throws(UserPresenceError) -> UserPresenceProof

    /// A digest of the fingers or faces that are enrolled now, 32 bytes; it differs when one is added or removed.
    ///
    /// Throws ``UserPresenceError/unavailable`` when there is no sensor or none is enrolled.
    func enrollmentDigest() async throws(UserPresenceError) -> [UInt8]
}

extension UserPresence {
    /// Asks as ``confirm(_:)`` does, for a platform that shows nobody's words but its own.
    ///
    /// Throws ``UserPresenceError``.
    public func confirm(
        _ gate: UserGate, prompt: PresencePrompt
    ) async throws(UserPresenceError) -> UserPresenceProof {
        try await confirm(gate)
    }
}

/// The way to the person in front of the device.
///
/// SecureStorage and vaults ask it before they open what is behind a ``UserGate``. Applications get one from the
/// platform; tests script one. Every call may wait for the user and ends when its task is cancelled.
public protocol UserPresence: Sendable {
    /// Asks the user to show that he is there, and returns the proof.
    ///
    /// Throws ``UserPresenceError``.
    func confirm(_ gate: UserGate) async throws(UserPresenceError) -> UserPresenceProof

    /// A digest of the fingers or faces that are enrolled now, 32 bytes; it differs when one is added or removed.
    ///
    /// Throws ``UserPresenceError/unavailable`` when there is no sensor or none is enrolled.
    func enrollmentDigest() async throws(UserPresenceError) -> [UInt8]
}

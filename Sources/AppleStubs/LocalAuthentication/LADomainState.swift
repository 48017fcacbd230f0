public import Security

/// Statement of the framework about the enrolled biometrics.
public struct LADomainState: Sendable {
    /// The part about fingers and faces.
    public struct Biometry: Sendable {
        /// Changes whenever something is enrolled or removed; nil when nothing is.
        public let stateHash: Data?
    }

    /// The fingers or faces.
    public let biometry: Biometry
}

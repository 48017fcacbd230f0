/// What a key of the server is for.
package enum KeyPurpose: String, Sendable, Hashable, CaseIterable {
    /// Seals the state of ceremonies (AES-256-GCM).
    case serverData = "server-data"
    /// Signs tokens (ECDSA P-256).
    case tokenSigning = "token-signing"
    /// Derives the answers for unknown users (HMAC-SHA-256); never rotated, or a user who does not exist would show by
    /// changing answers.
    case decoy = "decoy"

    /// The purposes whose keys are replaced daily.
    package static let rotating: [KeyPurpose] = [.serverData, .tokenSigning]
}

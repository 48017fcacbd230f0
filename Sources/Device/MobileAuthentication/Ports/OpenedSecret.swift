/// The proof that the secret of a key was entered just now, and the way to replace it.
package protocol OpenedSecret: Sendable {
    /// Whether a new secret is the one that the key has already.
    func isSame(as new: SecretBytes) async throws(CeremonyFailure) -> Bool

    /// Puts the key under a new secret; from then on the old one is wrong.
    func replace(with new: SecretBytes) async throws(CeremonyFailure)
}

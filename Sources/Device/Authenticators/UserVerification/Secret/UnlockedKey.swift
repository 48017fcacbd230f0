import HardwareKeys
import Octets
package import UAF

/// Proof that the right PIN or password of a credential was entered just now, with the secret it led to.
///
/// Only ``SecretReplacement`` makes and takes it; the secret inside is out of reach, and the vault judges it again.
package struct UnlockedKey: Sendable {
    package let credential: CredentialID
    let secret: VaultSecret
    let record: SecretRecord

    /// Throws ``AuthenticatorError/unchangedSecret`` when the new secret is the old one.
    ///
    /// The derived secrets are compared, in constant time; the old entry is not kept. It costs one derivation and
    /// throws ``AuthenticatorError/derivationFailed`` when that is not possible.
    package func requireDifferent(from entry: borrowing UserSecret) throws(AuthenticatorError) {
        let other = try SecretDerivation.derive(from: entry, record, of: credential)
        var octets = (old: secret.withUnsafeBytes { Array($0) }, new: other.withUnsafeBytes { Array($0) })
        defer {
            SecretOctets.wipe(&octets.old)
            SecretOctets.wipe(&octets.new)
        }
        do throws(ConstantTimeEquality.Difference) {
            try ConstantTimeEquality.require(octets.old, equals: octets.new)
        } catch {
            return
        }
        throw .unchangedSecret
    }
}

import RelyingParty
import Synchronization
import UAF

/// Parses stored public keys, and keeps the parsed form of those used lately.
///
/// A key is found under its octets, format and algorithm, so what is found can be nothing else than what parsing would
/// give. There is nothing secret in it, and whether a credential may be used is never asked here.
package final class VerificationKeys: Sendable {
    private struct Source: Hashable {
        let publicKey: EncodedPublicKey
        let algorithm: AuthenticationAlgorithm
    }

    /// Keys of the present generation and of the one before; what no generation asks for is forgotten.
    private struct Generations {
        var young: [Source: VerificationKey] = [:]
        var old: [Source: VerificationKey] = [:]
    }

    private let generationLimit: Int
    private let generations = Mutex(Generations())

    /// Keeps at most twice `generationLimit` keys, about 1 KiB each.
    package init(generationLimit: Int = 4_096) {
        self.generationLimit = generationLimit
    }

    /// The key of a credential; nil when the stored octets cannot be read any more.
    func key(_ publicKey: EncodedPublicKey, _ algorithm: AuthenticationAlgorithm) -> VerificationKey? {
        let source = Source(publicKey: publicKey, algorithm: algorithm)
        if let known = generations.withLock({ $0.young[source] }) { return known }
        guard let key = generations.withLock({ $0.old[source] }) ?? parsed(source) else { return nil }
        generations.withLock { generations in
            if generations.young.count >= generationLimit {
                generations.old = generations.young
                generations.young = [:]
            }
            generations.young[source] = key
        }
        return key
    }

    /// Parses leniently: a key that was accepted at registration is accepted for ever, whatever the profile has become.
    private func parsed(_ source: Source) -> VerificationKey? {
        try? VerificationKey(
            source.publicKey.octets, format: source.publicKey.format, algorithm: source.algorithm,
            tolerance: .acceptsSubjectPublicKeyInfo)
    }
}

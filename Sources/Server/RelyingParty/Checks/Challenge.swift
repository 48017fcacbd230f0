import Octets
import UAF

/// Check 8: the challenge was issued for this request, is within its lifetime and was not answered before.
enum ChallengeCheck {
    static func require(
        _ answered: ServerChallenge, of request: SentRequest, state: ChallengeState
    ) throws(RefusalReason) {
        do throws(ConstantTimeEquality.Difference) {
            try ConstantTimeEquality.require(answered.octets, equals: request.challenge.octets)
        } catch {
            throw .foreignChallenge
        }
        guard state == .fresh else { throw .challenge(state) }
    }
}

/// What the server knows of a challenge when the answer arrives.
///
/// Whoever keeps the challenges also consumes them: the transaction that stores the outcome inserts the challenge first,
/// so of two answers that both saw `fresh` only one is stored.
package enum ChallengeState: Hashable, Sendable {
    /// Issued, within its lifetime, not answered yet.
    case fresh
    /// Answered before.
    case consumed
    /// Its lifetime is over.
    case expired
    /// Never issued, or its ceremony cannot be judged any more (policy revision gone).
    case unknown
}

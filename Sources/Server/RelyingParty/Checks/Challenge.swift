import Octets
import UAF

/// Check of the challenge: issued for this request, within its lifetime and not answered before.
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

/// State of a challenge at the time of the response, as far as the server knows it.
///
/// The caller that keeps the challenges also consumes them: the transaction that stores the outcome inserts the
/// challenge first, so of two answers that both saw `fresh` only one is stored.
package enum ChallengeState: Hashable, Sendable {
    /// Issued, within its lifetime, not answered yet.
    case fresh
    case consumed
    case expired
    /// Never issued, or its ceremony cannot be judged any more (policy revision gone).
    case unknown
}

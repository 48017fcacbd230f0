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

import UAF

/// Judges authentication responses, with or without a transaction (FIDO UAF Protocol 1.1, 3.5.7.5).
///
/// The way is one-way: `received` reads, `addressed` ties the answer to a request, `verified` judges. Each step takes
/// what the one before has proved, so none can be left out.
package struct AuthenticationVerification: Sendable {
    private let settings: RelyingPartySettings

    /// Judges by `settings`.
    package init(settings: RelyingPartySettings) {
        self.settings = settings
    }

    /// Reads a response (checks 1, 2 and 4) with no more assertions than are judged.
    ///
    /// `message` is the JSON text of the UAF message, UTF-8. A refusal consumes nothing.
    package func received(_ message: [UInt8]) throws(RelyingPartyError) -> ReceivedAuthentication {
        do throws(RefusalReason) {
            guard case .authentication(let response) = try MessageReader.response(message, profile: settings.profile)
            else {
                throw .header
            }
            try AssertionCountCheck.require(response.assertions.count)
            return ReceivedAuthentication(
                response: response,
                assertions: response.assertions.map { AssertionReader.read($0, profile: settings.profile) })
        } catch {
            throw RelyingPartyError(error, operation: .authentication, stage: .addressing)
        }
    }

    /// Ties a response to the request it answers (checks 3 and 5 to 7); nothing is consumed by a refusal.
    package func addressed(
        _ received: ReceivedAuthentication, to offer: AuthenticationOffer
    ) throws(RelyingPartyError) -> AddressedAuthentication {
        do throws(RefusalReason) {
            try AddressCheck.require(
                received.response.finalChallenge, received.response.header, to: offer.request, settings: settings)
            return AddressedAuthentication(offer: offer, received: received)
        } catch {
            throw RelyingPartyError(error, operation: .authentication, stage: .addressing)
        }
    }

    /// Judges a response (checks 8 to 20).
    ///
    /// - Parameters:
    ///   - addressed: The answer.
    ///   - challenge: What is known of its challenge.
    ///   - registered: Every registered credential whose KeyID is among those of
    ///     ``AddressedAuthentication/claimedCredentials``, of whatever model and user.
    /// - Returns: Whose keys have signed; store the counters in the transaction that consumes the challenge.
    /// - Throws: The first rule that is broken.
    package func verified(
        _ addressed: AddressedAuthentication, challenge: ChallengeState, registered: [StoredCredential]
    ) throws(RelyingPartyError) -> VerifiedAuthentication {
        do throws(RefusalReason) {
            try ChallengeCheck.require(
                addressed.received.response.finalChallenge.challenge, of: addressed.offer.request, state: challenge)
        } catch {
            throw RelyingPartyError(error, operation: .authentication, stage: .judging)
        }
        return try AuthenticationJudgement(addressed: addressed, settings: settings, registered: registered).outcome()
    }
}

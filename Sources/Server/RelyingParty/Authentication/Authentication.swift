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

/// An authentication or transaction confirmation request that the server sent, and for whom.
package struct AuthenticationOffer: Hashable, Sendable {
    /// The request.
    package let request: SentRequest
    /// Who has to answer; nil when any user may, who is then known by the key.
    package let account: AccountReference?
    /// SHA-256 of every rendering of the transaction to confirm; empty when there is none.
    package let transactionHashes: [[UInt8]]
    /// When the request was made: credentials registered later do not count.
    package let issuedAt: Moment

    /// Describes a request.
    package init(
        request: SentRequest, account: AccountReference?, transactionHashes: [[UInt8]] = [], issuedAt: Moment
    ) {
        self.request = request
        self.account = account
        self.transactionHashes = transactionHashes
        self.issuedAt = issuedAt
    }
}

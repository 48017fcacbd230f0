package import UAF

/// Verification of authentication responses, with or without a transaction (FIDO UAF Protocol 1.1, 3.5.7.5).
///
/// The steps have one order: `received` reads, `addressed` ties the response to a request, `verified` judges it. Each
/// step takes what the one before has proved, so none can be left out.
package struct AuthenticationVerification: Sendable {
    private let settings: RelyingPartySettings

    package init(settings: RelyingPartySettings) {
        self.settings = settings
    }

    /// Reads message, header and final challenge parameters of a response with no more assertions than are judged.
    ///
    /// `message` is the JSON text of the UAF message, UTF-8. A refusal consumes nothing.
    package func received(_ message: [UInt8]) throws(RelyingPartyError) -> ReceivedAuthentication {
        do throws(RefusalReason) {
            let response = try response(in: message)
            try HeaderCheck.require(response.header)
            try AssertionCountCheck.require(response.assertions.count)
            let assertions = response.assertions.map { assertion(in: $0) }
            return ReceivedAuthentication(response, assertions: assertions)
        } catch {
            throw RelyingPartyError(error, operation: .authentication, stage: .addressing)
        }
    }

    private func response(in message: [UInt8]) throws(RefusalReason) -> AuthenticationResponse {
        do throws(MessageError) {
            return try AuthenticationResponse(message: message, rules: settings.profile.decoding)
        } catch {
            throw .message(error)
        }
    }

    /// The assertion of an entry; a fault concerns one only, so it is kept beside the others instead of being thrown.
    private func assertion(
        in entry: AuthenticatorSignAssertion
    ) -> Result<AuthenticationAssertion, RefusalReason> {
        guard entry.scheme == .uafV1TLV else { return .failure(.assertionScheme) }
        guard let octets = try? entry.octets(rules: settings.profile.decoding) else {
            return .failure(.assertionEncoding(nil))
        }
        do throws(TLVError) {
            return .success(try AuthenticationAssertion(octets: octets))
        } catch {
            return .failure(.assertionEncoding(error))
        }
    }

    /// Ties a response to its request by server data, appID, facet and channel binding; a refusal consumes nothing.
    package func addressed(
        _ received: consuming ReceivedAuthentication, to offer: consuming AuthenticationOffer
    ) throws(RelyingPartyError) -> AddressedAuthentication {
        do throws(RefusalReason) {
            try AddressCheck.require(
                received.response.finalChallenge, received.response.header, to: offer.request, settings: settings)
            return AddressedAuthentication(offer: offer, received: received)
        } catch {
            throw RelyingPartyError(error, operation: .authentication, stage: .addressing)
        }
    }

    /// Verifies the challenge and the assertions of a response.
    ///
    /// - Parameters:
    ///   - addressed: The response.
    ///   - challenge: The state of its challenge.
    ///   - registered: Every registered credential whose KeyID is in ``AddressedAuthentication/claimedCredentials``, of
    ///     whatever model and user.
    /// - Returns: The keys that have signed; store their counters in the transaction that consumes the challenge.
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
        return try AuthenticationVerifier(addressed: addressed, settings: settings, registered: registered).outcome()
    }
}

/// An authentication or transaction confirmation request that the server sent, and for whom.
package struct AuthenticationOffer: Hashable, Sendable {
    package let request: SentRequest
    /// User who has to respond; nil when any user may, who is then identified by the key.
    package let account: AccountReference?
    /// SHA-256 of every rendering of the transaction to confirm; empty when there is none.
    package let transactionHashes: [[UInt8]]
    /// Time of the request: credentials registered later do not count.
    package let issuedAt: Moment

    package init(
        request: SentRequest, account: AccountReference?, transactionHashes: [[UInt8]] = [], issuedAt: Moment
    ) {
        self.request = request
        self.account = account
        self.transactionHashes = transactionHashes
        self.issuedAt = issuedAt
    }
}

/// A proof that a user's own keys have signed for a request; only ``AuthenticationVerification`` makes it.
package struct VerifiedAuthentication: Sendable {
    /// One key that has signed.
    package struct Use: Sendable {
        package let registration: RegistrationReference
        /// The counter the store had; the new one may be written only over this one.
        package let previousSignCounter: UInt32
        /// Data that the authenticator signed: counter, version, mode, extensions.
        package let data: SignedData
        /// Whether the authenticator is older than its metadata trusts.
        package let isIncreasedRisk: Bool
        /// Its place in the answer, from 0.
        package let assertion: Int

        package var id: CredentialID { data.credential }
    }

    /// The owner of every key in ``uses``; the user of the request when it named one.
    package let account: AccountReference
    /// The challenge that is consumed with it.
    package let challenge: ServerChallenge
    /// The keys that have signed, at least one.
    package let uses: [Use]
    /// SHA-256 of the rendering that the user confirmed; nil when there was nothing to confirm.
    package let confirmedTransaction: [UInt8]?
    package let skipped: [RelyingPartyError]
}

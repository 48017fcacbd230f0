package import UAF

/// A registration response whose message, header and final challenge parameters are read; no request is known yet.
///
/// The caller opens the ``serverData`` that it sealed to find the request; then
/// ``RegistrationVerification/addressed(_:to:)`` ties the two together.
package struct ReceivedRegistration: Sendable {
    let response: RegistrationResponse
    /// The assertions in the order of the message, read or refused one by one.
    let assertions: [Result<RegistrationAssertion, RefusalReason>]
    /// The SHA-256 of the final challenge parameters as they were received: what the assertions are bound to, and what a
    /// proof for this one answer names.
    package let challengeHash: [UInt8]

    init(_ response: consuming RegistrationResponse, assertions: [Result<RegistrationAssertion, RefusalReason>]) {
        challengeHash = FinalChallengeHashCheck.hash(of: response.finalChallenge.encoded)
        self.response = response
        self.assertions = assertions
    }

    /// The server data as the client returned it; it identifies the request.
    package var serverData: ServerData? { response.header.serverData }

    /// The keys that the assertions claim to be about; nothing is proved of them.
    package var claimedCredentials: [CredentialID] {
        assertions.compactMap { try? $0.get().keyRegistrationData.credential }
    }
}

/// An authentication response whose message, header and final challenge parameters are read; no request is known yet.
///
/// The caller opens the ``serverData`` that it sealed to find the request; then
/// ``AuthenticationVerification/addressed(_:to:)`` ties the two together.
package struct ReceivedAuthentication: Sendable {
    let response: AuthenticationResponse
    /// The assertions in the order of the message, read or refused one by one.
    let assertions: [Result<AuthenticationAssertion, RefusalReason>]
    /// The SHA-256 of the final challenge parameters as they were received: what the assertions are bound to.
    let challengeHash: [UInt8]

    init(_ response: consuming AuthenticationResponse, assertions: [Result<AuthenticationAssertion, RefusalReason>]) {
        challengeHash = FinalChallengeHashCheck.hash(of: response.finalChallenge.encoded)
        self.response = response
        self.assertions = assertions
    }

    /// The server data as the client returned it; it identifies the request.
    package var serverData: ServerData? { response.header.serverData }

    /// The keys that the assertions claim to be made with; nothing is proved of them.
    package var claimedCredentials: [CredentialID] {
        assertions.compactMap { try? $0.get().signedData.credential }
    }

    /// An assertion of the response as its octets came, and the `fcParams` text that it is bound to; nil when there is
    /// none at this place.
    package func evidence(at position: Int) -> (assertion: [UInt8], finalChallenge: [UInt8])? {
        var rules = DecodingRules()
        rules.toleratesSloppyBase64URL = true
        guard response.assertions.indices.contains(position),
            let octets = try? response.assertions[position].octets(rules: rules)
        else { return nil }
        return (assertion: octets, finalChallenge: Array(response.finalChallenge.encoded.utf8))
    }
}

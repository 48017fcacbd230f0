// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

import UAF

/// Listings of the messages and assertions of UAF; each returns what it has made or read.
public enum UAFMessageListings {
    /// Readers of requests, in the order of their operations.
    public struct Calls: Hashable, Sendable {
        public var users: [UserName] = []
        public var challenges: [ServerChallenge] = []
        public var forgotten: [CredentialID] = []
    }

    public static func registrationRequest(
        _ challenge: ServerChallenge, _ username: UserName, _ policy: Policy
    ) -> [UInt8] {
        // Listing begins
        let request = RegistrationRequest(
            header: OperationHeader(operation: .registration, appID: AppID("https://bank.example/facets")),
            challenge: challenge, username: username, policy: policy)
        let message = OperationRequest.registration(request).message
        // Listing ends
        return message
    }

    public static func request(_ message: [UInt8], held: [CredentialID]) throws -> Calls {
        var calls = Calls()
        func makeKey(for user: UserName, under policy: Policy) { calls.users.append(user) }
        func sign(_ challenge: ServerChallenge, under policy: Policy) { calls.challenges.append(challenge) }
        func forget(_ keys: [CredentialID]) { calls.forgotten += keys }
        // Listing begins
        switch try OperationRequest(message: message) {
        case .registration(let request): makeKey(for: request.username, under: request.policy)
        case .authentication(let request): sign(request.challenge, under: request.policy)
        case .deregistration(let request): forget(request.keysToForget(among: held))
        }
        // Listing ends
        return calls
    }

    public static func response(_ message: [UInt8]) throws -> [CredentialID] {
        var credentials: [CredentialID] = []
        func verify(_ signature: [UInt8], over octets: [UInt8], of credential: CredentialID) {
            credentials.append(credential)
        }
        // Listing begins
        if case .registration(let response) = try OperationResponse(message: message) {
            for entry in response.assertions where entry.scheme == .uafV1TLV {
                let assertion = try RegistrationAssertion(octets: try entry.octets())
                let data = assertion.keyRegistrationData
                verify(assertion.attestation.signature, over: data.octets, of: data.credential)
            }
        }
        // Listing ends
        return credentials
    }

    public static func finalChallenge(
        _ appID: AppID, _ challenge: ServerChallenge, _ facetID: FacetID
    ) -> (hash: [UInt8], text: String) {
        // Listing begins
        let parameters = FinalChallengeParameters(appID: appID, challenge: challenge, facetID: facetID)
        let text = parameters.encoded  // Member `fcParams` of the response.
        let hash = parameters.hash  // SHA-256 of the text: the authenticator signs it.
        // Listing ends
        return (hash, text)
    }

    public static func refusal(_ message: [UInt8]) -> ClientErrorCode? {
        var reported: ClientErrorCode?
        var requests: [OperationRequest] = []
        func report(_ code: ClientErrorCode) { reported = code }
        // Listing begins
        do {
            requests.append(try OperationRequest(message: message))
        } catch {
            report(error.clientErrorCode)
        }
        // Listing ends
        return requests.isEmpty ? reported : nil
    }

    public static func registrationAssertion(
        _ credential: CredentialID, _ parameters: FinalChallengeParameters, _ publicKey: [UInt8],
        sign: ([UInt8]) -> [UInt8]
    ) throws -> [UInt8] {
        // Listing begins
        let data = try KeyRegistrationData(
            credential: credential,
            info: AssertionInfo(
                authenticatorVersion: 1, mode: .userVerified, signatureAlgorithm: .secp256r1ECDSASHA256DER),
            finalChallengeHash: parameters.hash, counters: .unsupported,
            publicKey: EncodedPublicKey(format: .eccX962DER, octets: publicKey))
        let assertion = RegistrationAssertion(
            keyRegistrationData: data, attestation: .surrogate(signature: sign(data.octets)))
        let octets = try assertion.encoded()
        // Listing ends
        return octets
    }

    public static func authenticationAssertion(
        _ credential: CredentialID, _ info: AssertionInfo, _ nonce: [UInt8], _ parameters: FinalChallengeParameters,
        sign: ([UInt8]) -> [UInt8]
    ) throws -> [UInt8] {
        // Listing begins
        let signedData = try SignedData(
            credential: credential, info: info, nonce: nonce,
            hashes: BoundHashes(finalChallenge: parameters.hash), signCounter: 0)
        let assertion = AuthenticationAssertion(signedData: signedData, signature: sign(signedData.octets))
        let octets = try assertion.encoded()
        // Listing ends
        return octets
    }

    public static func assertionExtension() -> AssertionExtension {
        // Listing begins
        let used = UserVerificationMethodUsed(
            userVerification: .fingerprint, keyProtection: .hardware, matcherProtection: .onChip)
        let method = AssertionExtension(id: .userVerificationMethod, data: used.data, failIfUnknown: false)
        // Listing ends
        return method
    }

    public static func transaction(
        _ header: OperationHeader, _ challenge: ServerChallenge, _ policy: Policy
    ) -> (request: AuthenticationRequest, hash: [UInt8]) {
        // Listing begins
        let transaction = Transaction(contentType: .plainText, content: Array("Pay 120 CHF to Anna".utf8))
        let request = AuthenticationRequest(
            header: header, challenge: challenge, transactions: [transaction], policy: policy)
        let confirmed = transaction.contentHash  // The assertion has to carry this hash.
        // Listing ends
        return (request, confirmed)
    }
}

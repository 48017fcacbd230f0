// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

import UAF

/// Listings of the messages and assertions of UAF; each returns what it has made or read.
public enum UAFMessageListings {
    public static func registrationRequest(
        _ challenge: ServerChallenge, _ username: UserName, _ policy: Policy
    ) -> [UInt8] {
        // Listing: RegistrationRequest.swift
        return message
    }

    public static func request(_ message: [UInt8], held: [CredentialID]) throws -> RequestCalls {
        var calls = RequestCalls()
        func makeKey(for user: UserName, under policy: Policy) { calls.users.append(user) }
        func sign(_ challenge: ServerChallenge, under policy: Policy) { calls.challenges.append(challenge) }
        func forget(_ keys: [CredentialID]) { calls.forgotten += keys }
        // Listing: UAF.md
        return calls
    }

    public static func response(_ message: [UInt8]) throws -> [CredentialID] {
        var credentials: [CredentialID] = []
        func verify(_ signature: [UInt8], over octets: [UInt8], of credential: CredentialID) {
            credentials.append(credential)
        }
        // Listing: OperationRequest.swift 2
        return credentials
    }

    public static func finalChallenge(
        _ appID: AppID, _ challenge: ServerChallenge, _ facetID: FacetID
    ) -> (hash: [UInt8], text: String) {
        // Listing: FinalChallengeParameters.swift
        return (hash, text)
    }

    public static func refusal(_ message: [UInt8]) -> ClientErrorCode? {
        var reported: ClientErrorCode?
        var requests: [OperationRequest] = []
        func report(_ code: ClientErrorCode) { reported = code }
        // Listing: MessageError.swift
        return requests.isEmpty ? reported : nil
    }

    public static func registrationAssertion(
        _ credential: CredentialID, _ parameters: FinalChallengeParameters, _ publicKey: [UInt8],
        sign: ([UInt8]) -> [UInt8]
    ) throws -> [UInt8] {
        // Listing: RegistrationAssertion.swift
        return octets
    }

    public static func authenticationAssertion(
        _ credential: CredentialID, _ info: AssertionInfo, _ nonce: [UInt8], _ parameters: FinalChallengeParameters,
        sign: ([UInt8]) -> [UInt8]
    ) throws -> [UInt8] {
        // Listing: AuthenticationAssertion.swift
        return octets
    }

    public static func assertionExtension() -> AssertionExtension {
        // Listing: AssertionInfo.swift
        return method
    }

    public static func transaction(
        _ header: OperationHeader, _ challenge: ServerChallenge, _ policy: Policy
    ) -> (request: AuthenticationRequest, hash: [UInt8]) {
        // Listing: Transaction.swift
        return (request, confirmed)
    }
}

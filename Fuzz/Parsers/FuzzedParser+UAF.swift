import UAF

extension FuzzedParser {
    /// Parsers of TLV encodings.
    static let assertions: [FuzzedParser] = [
        roundTrip(
            "registration-assertion", read: { try RegistrationAssertion(octets: $0) }, write: { try $0.encoded() }),
        roundTrip(
            "authentication-assertion", read: { try AuthenticationAssertion(octets: $0) }, write: { try $0.encoded() }),
    ]

    /// Parsers of UAF messages and documents.
    static let messages: [FuzzedParser] = [
        roundTrip("uaf-request", read: { try OperationRequest(message: $0) }, write: { $0.message }),
        roundTrip("uaf-response", read: { try OperationResponse(message: $0) }, write: { $0.message }),
        exact(
            "final-challenge", read: { try FinalChallengeParameters(encoded: try text($0)) },
            write: { Array($0.encoded.utf8) }),
        roundTrip("facets", read: { try TrustedFacetList(document: $0) }, write: { $0.document }),
        stable("metadata", read: { try MetadataCatalog(document: $0) }, write: { $0.document }),
    ]
}

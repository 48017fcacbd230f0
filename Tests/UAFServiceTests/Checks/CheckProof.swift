import RelyingParty

/// Tests of one check, each as suite and function: of a response that passes it, and of one that does not.
struct CheckProof {
    let accepting: [String]
    let refusing: [String]

    /// The proofs in the order of the numbers of the checks.
    static func list(of operation: Rule.Operation) -> [CheckProof] {
        switch operation {
        case .registration: shared + registration
        case .authentication: shared + authentication
        }
    }

    private static let shared = [
        CheckProof(
            accepting: ["RegistrationAddressTests.good", "AuthenticationAssertionTests.good"],
            refusing: ["RegistrationAddressTests.noMessage", "RegistrationAddressTests.twoResponses"]),
        CheckProof(
            accepting: ["RegistrationAddressTests.good", "AuthenticationAssertionTests.good"],
            refusing: ["RegistrationAddressTests.header", "AuthenticationAssertionTests.otherOperation"]),
        CheckProof(
            accepting: ["RegistrationResponseTests.success", "AuthenticationResponseTests.loginCookie"],
            refusing: [
                "RegistrationAddressTests.serverData", "RegistrationResponseTests.forgedState",
                "RegistrationResponseTests.crossOperation", "AuthenticationAssertionTests.address",
                "AuthenticationResponseTests.loginCookie",
            ]),
        CheckProof(
            accepting: ["RegistrationAddressTests.good", "AuthenticationAssertionTests.good"],
            refusing: ["RegistrationAddressTests.parameters"]),
        CheckProof(
            accepting: ["RegistrationAddressTests.noAppID"],
            refusing: ["RegistrationAddressTests.appID", "AuthenticationAssertionTests.address"]),
        CheckProof(
            accepting: ["ChannelBindingTests.facets"],
            refusing: ["RegistrationAddressTests.facet", "AuthenticationAssertionTests.address"]),
        CheckProof(
            accepting: ["ChannelBindingTests.ignored", "ChannelBindingTests.stated", "ServerBindingTests.stated"],
            refusing: [
                "ChannelBindingTests.stated", "ChannelBindingTests.required", "ServerBindingTests.wrong",
                "ServerBindingTests.foreignClient",
            ]),
        CheckProof(
            accepting: ["RegistrationResponseTests.expiry", "AuthenticationResponseTests.expiry"],
            refusing: [
                "RegistrationAssertionTests.challenge", "RegistrationAssertionTests.challengeState",
                "AuthenticationAssertionTests.challenge",
            ]),
        CheckProof(
            accepting: ["RegistrationAddressTests.good", "AuthenticationAssertionTests.good"],
            refusing: [
                "RegistrationAddressTests.members", "RegistrationAssertionTests.tooMany",
                "RegistrationAssertionTests.scheme",
            ]),
        CheckProof(
            accepting: ["RegistrationAssertionTests.extensions"], refusing: ["RegistrationAssertionTests.extensions"]),
        CheckProof(
            accepting: ["RegistrationAssertionTests.unknownTags"],
            refusing: [
                "RegistrationAssertionTests.fields", "RegistrationAssertionTests.unknownTags",
                "AuthenticationAssertionTests.fields", "AuthenticationAssertionTests.otherFields",
            ]),
    ]

    private static let registration = [
        CheckProof(
            accepting: ["RegistrationAddressTests.good"], refusing: ["RegistrationAssertionTests.unknownModel"]),
        CheckProof(
            accepting: ["RegistrationAddressTests.good"], refusing: ["RegistrationAssertionTests.revokedModel"]),
        CheckProof(
            accepting: ["RegistrationKeyTests.accepted", "RegistrationKeyTests.sets"],
            refusing: [
                "RegistrationKeyTests.accepted", "RegistrationKeyTests.disallowed", "RegistrationKeyTests.sets",
            ]),
        CheckProof(accepting: ["RegistrationAddressTests.good"], refusing: ["RegistrationAssertionTests.mode"]),
        CheckProof(
            accepting: ["RegistrationAddressTests.good"], refusing: ["RegistrationAssertionTests.finalChallengeHash"]),
        CheckProof(
            accepting: ["RegistrationAssertionTests.version", "VerificationSettingsTests.risk"],
            refusing: ["RegistrationAssertionTests.version"]),
        CheckProof(
            accepting: ["RegistrationKeyTests.matrix", "RegistrationKeyTests.additionalAlgorithm"],
            refusing: ["RegistrationKeyTests.key"]),
        CheckProof(
            accepting: ["RegistrationKeyTests.matrix", "RegistrationKeyTests.additionalAlgorithm"],
            refusing: ["RegistrationKeyTests.algorithm"]),
        CheckProof(
            accepting: ["RegistrationAddressTests.good", "FullAttestationTests.good"],
            refusing: ["RegistrationKeyTests.attestationCount", "RegistrationKeyTests.attestationType"]),
        CheckProof(
            accepting: ["FullAttestationTests.good", "FullAttestationTests.leafAsRoot"],
            refusing: [
                "FullAttestationTests.foreignRoot", "FullAttestationTests.validity", "FullAttestationTests.noAuthority",
                "FullAttestationTests.foreignModel", "FullAttestationTests.certificates",
            ]),
        CheckProof(
            accepting: ["RegistrationKeyTests.matrix", "FullAttestationTests.otherAlgorithm"],
            refusing: ["RegistrationKeyTests.surrogate", "FullAttestationTests.signature"]),
        CheckProof(
            accepting: ["RegistrationAssertionTests.registrationCounter"],
            refusing: ["RegistrationAssertionTests.registrationCounter"]),
        CheckProof(
            accepting: ["RegistrationAssertionTests.keyIDLength"],
            refusing: ["RegistrationAssertionTests.keyIDLength", "RegistrationAssertionTests.registeredAlready"]),
        CheckProof(
            accepting: ["KeyAttestationTests.proved", "KeyAttestationTests.unasked"],
            refusing: ["KeyAttestationTests.missing", "KeyAttestationTests.refused", "KeyAttestationTests.pieces"]),
    ]

    private static let authentication = [
        CheckProof(
            accepting: ["AuthenticationAssertionTests.good"],
            refusing: ["AuthenticationAssertionTests.model", "AuthenticationAssertionTests.unnamedKey"]),
        CheckProof(
            accepting: ["AuthenticationAssertionTests.userless"],
            refusing: ["AuthenticationAssertionTests.unknownKey", "AuthenticationAssertionTests.foreignKey"]),
        CheckProof(
            accepting: ["AuthenticationAssertionTests.good"],
            refusing: ["AuthenticationAssertionTests.otherModel", "AuthenticationAssertionTests.disabled"]),
        CheckProof(
            accepting: ["AuthenticationAssertionTests.version", "VerificationSettingsTests.risk"],
            refusing: ["AuthenticationAssertionTests.version"]),
        CheckProof(
            accepting: ["RegistrationKeyTests.matrix"], refusing: ["AuthenticationAssertionTests.algorithm"]),
        CheckProof(
            accepting: ["AuthenticationAssertionTests.counters"],
            refusing: ["AuthenticationAssertionTests.counters", "AuthenticationAssertionTests.forgedCounter"]),
        CheckProof(
            accepting: ["AuthenticationAssertionTests.good"],
            refusing: ["AuthenticationAssertionTests.finalChallengeHash"]),
        CheckProof(
            accepting: ["TransactionTests.confirmed", "AuthenticationAssertionTests.good"],
            refusing: [
                "TransactionTests.otherContent", "TransactionTests.authenticationOnly",
                "TransactionTests.confirmationOnly", "TransactionTests.mode", "TransactionTests.hashInModeOne",
            ]),
        CheckProof(
            accepting: ["RegistrationKeyTests.matrix"],
            refusing: ["AuthenticationAssertionTests.signature", "TamperingTests.authentication"]),
    ]
}

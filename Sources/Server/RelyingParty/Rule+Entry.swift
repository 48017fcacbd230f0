extension Rule {
    /// Entry of one check in `docs/security/uaf-checks.md`.
    package struct Entry: Sendable {
        package let demand: String
        /// Section of the standard; nil where it is ``Rule/Operation/section``.
        package var section: String?
        /// The step of that section in our own words.
        package let step: String
        /// Files of the check under `Sources/Server`.
        package let files: [String]
    }

    /// The checks of an operation in the order of their numbers, from 1.
    package static func entries(of operation: Operation) -> [Entry] {
        switch operation {
        case .registration: sharedEntries + registrationEntries
        case .authentication: sharedEntries + authenticationEntries
        }
    }

    private static let readers = [
        "RelyingParty/Registration/Registration.swift", "RelyingParty/Authentication/Authentication.swift",
    ]

    package static let sharedEntries: [Entry] = [
        Entry(
            demand: "the message is a JSON array of exactly one response",
            step: "parse the message; refuse it when a member is missing or has another type or value",
            files: readers),
        Entry(
            demand: "the header has version 1.1, the operation asked for, and no extension with `fail_if_unknown`",
            step: "refuse a protocol version that is not supported",
            files: ["RelyingParty/Checks/HeaderCheck.swift"] + readers),
        Entry(
            demand: "`serverData` opens, is of this operation and browser, and came back unchanged",
            step: "`serverData`, if used, passes the checks of the server that made it",
            files: ["RelyingParty/Checks/AddressCheck.swift", "UAFService/Ceremonies/ResponseOpener.swift"]),
        Entry(
            demand: "`fcParams` is base64url of a JSON object with all four members",
            step: "decode the final challenge parameters into an object",
            files: readers),
        Entry(
            demand: "the appID is the request's, or the facet when the request names none",
            step: "the appID is the one the server has stored",
            files: ["RelyingParty/Checks/AddressCheck.swift"]),
        Entry(
            demand: "the facet is one of the server's own applications",
            step: "the facet is in the list of trusted facets",
            files: ["RelyingParty/Checks/AddressCheck.swift", "RelyingParty/Ceremony/TrustedFacets.swift"]),
        Entry(
            demand: "the channel binding is the front end's, and the server binding names this server and the "
                + "exchange of the request, as far as the configuration asks",
            step: "the channel binding is as expected",
            files: ["RelyingParty/Checks/ChannelBinding.swift", "RelyingParty/Checks/ServerBinding.swift"]),
        Entry(
            demand: "the challenge is the request's, within its lifetime and not answered before",
            step: "the server has generated the challenge for this operation, and it has not expired",
            files: ["RelyingParty/Checks/Challenge.swift", "UAFService/Ceremonies/ResponseOpener.swift"]),
        Entry(
            demand: "there are 1 to 16 assertions, of the scheme UAFV1TLV and of the scheme in their metadata",
            step: "the scheme of an assertion is the one in the metadata of its model",
            files: ["RelyingParty/Checks/Assertion.swift", "RelyingParty/Models/Model.swift"] + readers),
        Entry(
            demand: "an assertion has no unknown critical extension, signed or not",
            section: "3.1.8",
            step: "a receiver fails that does not know an extension with `fail_if_unknown`",
            files: ["RelyingParty/Checks/ExtensionCheck.swift"]),
        Entry(
            demand: "an assertion is base64url of one TLV structure with every mandatory field once",
            step: "parse an assertion by its scheme; it has a valid syntax and all mandatory fields",
            files: readers),
    ]

    package static let registrationEntries: [Entry] = [
        Entry(
            demand: "there is metadata for the model",
            step: "take the AAID from the assertion and look up its metadata",
            files: ["RelyingParty/Models/Model.swift"]),
        Entry(
            demand: "the model is not revoked",
            step: "no separate step: the status of a model is judged with its metadata",
            files: ["RelyingParty/Models/Model.swift"]),
        Entry(
            demand: "the model is one the request asked for, and the assertions fill one of its accepted sets",
            step: "the AAID matches the policy of the request; in combinations the other assertions count too",
            files: ["RelyingParty/Checks/PolicyCheck.swift", "RelyingParty/Checks/SetCheck.swift"]),
        Entry(
            demand: "the authentication mode says that the user was verified",
            section: "Authenticator Commands 1.1, 5.2.1",
            step: "the mode of a registration is user verification",
            files: ["RelyingParty/Registration/RegistrationVerifier.swift"]),
        Entry(
            demand: "the final challenge hash is the SHA-256 of the `fcParams` text as received",
            step: "hash `fcParams` as the model does; the hash in the assertion is equal",
            files: ["RelyingParty/Checks/FinalChallengeHashCheck.swift"]),
        Entry(
            demand: "the authenticator has at least the version of its metadata; older ones are flagged, or refused "
                + "where the configuration says so",
            step: "the version is not below the one in the metadata; an older one is an increased risk",
            files: ["RelyingParty/Checks/VersionCheck.swift"]),
        Entry(
            demand: "the public key has its declared format and is a valid key of an algorithm of the model",
            section: "Registry of Predefined Values 1.1, 3.6.2",
            step: "encodings of public keys",
            files: ["RelyingParty/Checks/PublicKeyCheck.swift"]),
        Entry(
            demand: "the signature algorithm is supported, and with surrogate attestation one of the model",
            step: "take the algorithms of the model from its metadata",
            files: ["RelyingParty/Checks/PublicKeyCheck.swift"]),
        Entry(
            demand: "there is one attestation, of a type that server, metadata and request take; the metadata has "
                + "roots for a full one and none for a surrogate one",
            step: "the attestation is of the type in the metadata that the policy prefers",
            files: ["RelyingParty/Checks/Attestation.swift", "RelyingParty/Registration/Registration.swift"]),
        Entry(
            demand: "the attestation certificates lead to a root of the metadata and name no other model",
            step: "validate the certificate and its chain up to a root of the metadata (RFC 5280)",
            files: ["RelyingParty/Checks/Attestation.swift", "RelyingParty/Checks/CertificatePath.swift"]),
        Entry(
            demand: "the attestation signature is good over the key registration data as received",
            step: "verify the signature: a full one with the certificate, a surrogate one with the new public key",
            files: ["RelyingParty/Checks/Attestation.swift"]),
        Entry(
            demand: "the registration counter is within the configured limit",
            step: "the registration counter is not supported, or not exceedingly high",
            files: ["RelyingParty/Checks/CounterCheck.swift"]),
        Entry(
            demand: "the KeyID has an allowed length, and no user has registered it with this model",
            step: "store the key; an entry with the same AAID and KeyID must not exist",
            files: ["RelyingParty/Registration/RegistrationVerifier.swift"]),
        Entry(
            demand: "a chip of a configured manufacturer states that it holds the key, as far as the policy asks",
            step: "no separate step: the statement is an addition of this project, beside a surrogate attestation",
            files: ["RelyingParty/Checks/KeyAttestation.swift"]),
    ]

    package static let authenticationEntries: [Entry] = [
        Entry(
            demand: "there is metadata for the model, it is not revoked, and model and key are asked for; the "
                + "assertions fill one of the accepted sets",
            step: "the AAID matches the policy of the request",
            files: [
                "RelyingParty/Models/Model.swift", "RelyingParty/Checks/PolicyCheck.swift",
                "RelyingParty/Checks/SetCheck.swift",
            ]),
        Entry(
            demand: "the user who was asked had registered this KeyID when the request was made",
            step: "find the public key of AAID and KeyID in the record of the user",
            files: ["RelyingParty/Authentication/AuthenticationVerifier.swift"]),
        Entry(
            demand: "the credential is of this model and not switched off",
            step: "the AAID is the one recorded at registration",
            files: ["RelyingParty/Authentication/AuthenticationVerifier.swift"]),
        Entry(
            demand: "the authenticator has at least the version of its metadata; older ones are flagged, or refused "
                + "where the configuration says so",
            step: "the version is not below the one in the metadata; an older one is an increased risk",
            files: ["RelyingParty/Checks/VersionCheck.swift"]),
        Entry(
            demand: "the signature algorithm is the registered key's",
            step: "take the algorithms of the model from its metadata",
            files: ["RelyingParty/Authentication/AuthenticationVerifier.swift"]),
        Entry(
            demand: "the signature counter has grown, or neither side counts",
            step: "the counter is not supported, or greater than the stored one",
            files: [
                "RelyingParty/Authentication/AuthenticationVerifier.swift", "RelyingParty/Checks/CounterCheck.swift",
            ]),
        Entry(
            demand: "the final challenge hash is the SHA-256 of the `fcParams` text as received",
            step: "hash `fcParams` as the model does; the hash in the assertion is equal",
            files: ["RelyingParty/Checks/FinalChallengeHashCheck.swift"]),
        Entry(
            demand: "mode and transaction hash belong to a confirmation exactly when there is a text to confirm",
            step: "with mode 2 the hash belongs to the stored transaction, with mode 1 it is empty; no other mode",
            files: ["RelyingParty/Checks/TransactionConfirmation.swift"]),
        Entry(
            demand: "the signature is good over the signed data as received, with the stored key",
            step: "verify the signature with the stored public key and its algorithm",
            files: ["RelyingParty/Authentication/AuthenticationVerifier.swift"]),
    ]
}

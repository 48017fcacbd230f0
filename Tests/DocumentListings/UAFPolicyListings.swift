// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

import UAF

/// Listings of policies, facets, metadata and codes of UAF; each returns what it has made or decided.
public enum UAFPolicyListings {
    public static func policy(pin: AAID, revoked: AAID) -> Policy {
        // Listing begins
        var anyFingerprint = MatchCriteria(
            authenticationAlgorithms: [.secp256r1ECDSASHA256DER], assertionSchemes: [.uafV1TLV])
        anyFingerprint.userVerification = .fingerprint
        let policy = Policy(
            accepted: [[MatchCriteria(aaids: [pin])], [anyFingerprint]],
            disallowed: [MatchCriteria(aaids: [revoked])])
        // Listing ends
        return policy
    }

    public static func choices(_ candidates: [AuthenticatorCandidate], _ policy: Policy) throws -> [[AAID]] {
        var shown: [[AAID]] = []
        func show(_ aaids: [AAID]) { shown.append(aaids) }
        // Listing begins
        let evaluation = PolicyEvaluation(candidates: candidates, purpose: .registration)
        for choice in try evaluation.choices(for: policy) {
            show(choice.map { candidates[$0.candidate].aaid })
        }
        // Listing ends
        return shown
    }

    public static func userVerification() -> [Bool] {
        // Listing begins
        let wanted: UserVerification = [.fingerprint, .faceprint]
        let fingerFits = wanted.accepts(.fingerprint)  // True: any one of the methods suffices.
        let bothFit = wanted.accepts([.fingerprint, .faceprint, .all])  // False: both would be needed.
        // Listing ends
        return [fingerFits, bothFit]
    }

    public static func facet(
        _ header: OperationHeader, _ facetID: FacetID, _ suffixes: PublicSuffixRules,
        fetch: (String) async -> FacetResponse?
    ) async -> AppID? {
        // Listing begins
        var evaluation = FacetEvaluation(appID: header.appID, facetID: facetID, suffixes: suffixes)
        var step = evaluation.start()
        while case .fetch(let url) = step {
            step = evaluation.resume(await fetch(url))
        }
        guard case .allowed(let appID) = step else { return nil }
        // Listing ends
        return appID
    }

    public static func facetList(_ facets: [FacetID]) -> [UInt8] {
        // Listing begins
        let list = TrustedFacetList(entries: [TrustedFacetList.Entry(ids: facets)])
        let body = list.document  // To be served as `TrustedFacetList.mediaType`.
        // Listing ends
        return body
    }

    public static func catalog(_ document: [UInt8]) throws -> [AAID] {
        var reported: [AAID] = []
        func report(_ warning: MetadataWarning, about aaid: AAID) { reported.append(aaid) }
        // Listing begins
        let catalog = MetadataCatalog.product.merging(try MetadataCatalog(document: document))
        for statement in catalog.statements {
            for warning in MetadataLinter.warnings(for: statement) { report(warning, about: statement.aaid) }
        }
        // Listing ends
        return reported
    }

    public static func statement(_ aaid: AAID) -> MetadataStatement {
        // Listing begins
        var statement = MetadataStatement(
            aaid: aaid, description: "PIN, with the key in a chip", signing: .p256,
            userVerificationDetails: [[VerificationMethod(.passcode)]],
            keyProtection: [.hardware, .secureElement], matcherProtection: .onChip)
        statement.authenticatorVersion = 2
        // Listing ends
        return statement
    }

    public static func credential(_ keyIDText: String) -> CredentialID? {
        // Listing begins
        guard let aaid = AAID("FFFF#2001"), let keyID = KeyID(base64URL: keyIDText) else { return nil }
        let credential = CredentialID(aaid: aaid, keyID: keyID)
        // Listing ends
        return credential
    }

    public static func status(_ status: StatusCode) -> String {
        var done = ""
        func finish() { done = "finished" }
        func markKeyUnusable() { done = "unusable" }
        func refuse(_ code: UInt32) { done = "\(code)" }
        // Listing begins
        switch status {
        case .ok: finish()
        case .unknownKeyID: markKeyUnusable()
        default: refuse(status.rawValue)
        }
        // Listing ends
        return done
    }
}

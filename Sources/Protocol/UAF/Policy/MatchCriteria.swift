package import StrictJSON

/// Properties that an authenticator must have; a member that is nil does not matter.
///
/// FIDO UAF Protocol 1.1, 3.1.12. With ``aaids`` only ``keyIDs``, ``attachmentHint``, ``authenticatorVersion`` and
/// ``extensions`` may be given; without it both ``authenticationAlgorithms`` and ``assertionSchemes`` must be. An array
/// that is given is not empty.
public struct MatchCriteria: Hashable, Sendable {
    /// The AAID is one of these.
    public var aaids: [AAID]?
    /// The vendor is one of these.
    public var vendorIDs: [VendorID]?
    /// One of these keys is registered with the authenticator for the application.
    public var keyIDs: [KeyID]?
    /// The verification methods fit (``UserVerification/accepts(_:)``).
    public var userVerification: UserVerification?
    /// The key protection has a bit in common.
    public var keyProtection: KeyProtection?
    /// The matcher protection has a bit in common.
    public var matcherProtection: MatcherProtection?
    /// The attachment has a bit in common.
    public var attachmentHint: AttachmentHint?
    /// The display has a bit in common.
    public var transactionConfirmationDisplay: TransactionConfirmationDisplay?
    /// The algorithm is one of these.
    public var authenticationAlgorithms: [AuthenticationAlgorithm]?
    /// The scheme is one of these.
    public var assertionSchemes: [AssertionScheme]?
    /// One attestation type in common; the order is the server's preference.
    public var attestationTypes: [AttestationType]?
    /// The version in the assertion is at least this; deprecated, judged by the server only.
    public var authenticatorVersion: UInt16?
    /// Extensions of the criteria.
    public var extensions: [MessageExtension] = []

    /// Names models, and keys on them when given.
    public init(aaids: [AAID], keyIDs: [KeyID]? = nil) {
        self.aaids = aaids
        self.keyIDs = keyIDs
    }

    /// Describes authenticators without naming models.
    public init(authenticationAlgorithms: [AuthenticationAlgorithm], assertionSchemes: [AssertionScheme]) {
        self.authenticationAlgorithms = authenticationAlgorithms
        self.assertionSchemes = assertionSchemes
    }

    package init() {}
}

extension MatchCriteria {
    /// Whether the criteria fits a model of authenticator, whatever keys it holds.
    ///
    /// FIDO UAF Protocol 1.1, 3.1.12; ``keyIDs`` and ``authenticatorVersion`` are left to the caller. Without
    /// characteristics (a user verification that one value cannot express) only a criteria that names the AAID fits. A
    /// server passes `judgingAttachment: false`: what metadata says about it is a hint only.
    public func matchesModel(
        _ aaid: AAID, _ characteristics: AuthenticatorCharacteristics?, judgingAttachment: Bool = true
    ) -> Bool {
        if let aaids, !aaids.contains(aaid) { return false }
        if let vendorIDs, !vendorIDs.contains(aaid.vendor) { return false }
        guard let characteristics else { return aaids != nil }
        return matchesProtection(characteristics, judgingAttachment: judgingAttachment)
            && matchesSigning(characteristics)
    }

    private func matchesProtection(_ model: AuthenticatorCharacteristics, judgingAttachment: Bool) -> Bool {
        (userVerification?.accepts(model.userVerification) ?? true)
            && sharesBit(keyProtection, model.keyProtection) && sharesBit(matcherProtection, model.matcherProtection)
            && (!judgingAttachment || sharesBit(attachmentHint, model.attachmentHint))
            && sharesBit(transactionConfirmationDisplay, model.transactionConfirmationDisplay)
    }

    private func matchesSigning(_ model: AuthenticatorCharacteristics) -> Bool {
        (authenticationAlgorithms?.contains(where: model.authenticationAlgorithms.contains) ?? true)
            && (assertionSchemes?.contains(model.assertionScheme) ?? true)
            && (attestationTypes?.contains(where: model.attestationTypes.contains) ?? true)
    }

    private func sharesBit<Flags: OptionSet>(_ wanted: Flags?, _ given: Flags) -> Bool
    where Flags.Element == Flags {
        guard let wanted else { return true }
        return !wanted.isDisjoint(with: given)
    }

    /// The attestation that an authenticator which fits is asked for: exactly one.
    ///
    /// The first of the server's preferences that the model supports; without preferences the model's own first. Nil
    /// when there is none.
    public func attestationType(for model: AuthenticatorCharacteristics) -> AttestationType? {
        guard let attestationTypes else { return model.attestationTypes.first }
        return attestationTypes.first(where: model.attestationTypes.contains)
    }
}

extension MatchCriteria: JSONCoded {
    /// Reads a criteria; the combination of its members must be an allowed one.
    package init(json: JSONValue, rules: DecodingRules) throws(JSONTypeError) {
        let members = try json.asObject()
        self.init()
        aaids = try members.optionalArray("aaid", rules: rules)
        vendorIDs = try members.optionalArray("vendorID", rules: rules)
        keyIDs = try members.optionalArray("keyIDs", rules: rules)
        userVerification = try members.optional("userVerification", rules: rules)
        keyProtection = try members.optional("keyProtection", rules: rules)
        matcherProtection = try members.optional("matcherProtection", rules: rules)
        attachmentHint = try members.optional("attachmentHint", rules: rules)
        transactionConfirmationDisplay = try members.optional("tcDisplay", rules: rules)
        authenticationAlgorithms = try members.optionalArray("authenticationAlgorithms", rules: rules)
        assertionSchemes = try members.optionalArray("assertionSchemes", rules: rules)
        attestationTypes = try members.optionalArray("attestationTypes", rules: rules)
        authenticatorVersion = try members.optionalInteger("authenticatorVersion")
        extensions = try members.list("exts", rules: rules)
        try requireAllowedCombination()
    }

    package var json: JSONValue {
        .object([
            "aaid": .array(of: aaids), "vendorID": .array(of: vendorIDs), "keyIDs": .array(of: keyIDs),
            "userVerification": userVerification?.json, "keyProtection": keyProtection?.json,
            "matcherProtection": matcherProtection?.json, "attachmentHint": attachmentHint?.json,
            "tcDisplay": transactionConfirmationDisplay?.json,
            "authenticationAlgorithms": .array(of: authenticationAlgorithms),
            "assertionSchemes": .array(of: assertionSchemes), "attestationTypes": .array(of: attestationTypes),
            "authenticatorVersion": authenticatorVersion.map { .integer($0) }, "exts": .list(extensions),
        ])
    }

    /// Throws unless the members may stand together.
    ///
    /// FIDO UAF Protocol 1.1, 3.1.12: a model that is named is not described as well, and one that is not named is
    /// described at least by algorithms and schemes.
    package func requireAllowedCombination() throws(JSONTypeError) {
        guard aaids != nil else {
            guard authenticationAlgorithms != nil else {
                throw JSONTypeError(path: ["authenticationAlgorithms"], .missing)
            }
            guard assertionSchemes != nil else { throw JSONTypeError(path: ["assertionSchemes"], .missing) }
            return
        }
        let describesModel =
            vendorIDs != nil || userVerification != nil || keyProtection != nil || matcherProtection != nil
            || transactionConfirmationDisplay != nil || authenticationAlgorithms != nil || assertionSchemes != nil
            || attestationTypes != nil
        guard !describesModel else { throw JSONTypeError(path: ["aaid"], .invalidForm) }
    }
}

extension JSONValue {
    fileprivate static func array(of values: [some JSONCoded]?) -> JSONValue? {
        values.map { .array($0.map(\.json)) }
    }
}

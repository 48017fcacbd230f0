import StrictCBOR

/// Attestation object: authenticator data with a statement about the new key (section 6.5.4).
package struct AttestationObject: Hashable, Sendable {
    /// Identifier of the statement's format, as it came.
    package let format: String
    let statement: CBORMap
    package let report: AuthenticatorReport
    let credential: AuthenticatorReport.Credential

    /// Reads an attestation object; throws ``PasskeyRefusal``: `attestationObject` or `authenticatorData`.
    package init(_ octets: [UInt8]) throws(PasskeyRefusal) {
        guard let map = try? CBORParser.parse(octets).map, map.has(exactly: ["fmt", "attStmt", "authData"]),
            let format = map["fmt"]?.text, let statement = map["attStmt"]?.map, let data = map["authData"]?.octets
        else { throw .attestationObject }
        self.format = format
        self.statement = statement
        report = try AuthenticatorReport(data)
        guard let credential = report.credential else { throw .authenticatorData }
        self.credential = credential
    }
}

/// Formats of attestation statements that are verified (section 8), by their identifiers.
package enum AttestationFormat: String, Hashable, Sendable, CaseIterable {
    case none, packed, tpm, apple
    case androidKey = "android-key"
    case fidoU2F = "fido-u2f"
}

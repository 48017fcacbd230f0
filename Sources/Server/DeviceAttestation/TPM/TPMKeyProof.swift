/// Proof that a chip made a key, holds it and does not give it out.
package struct TPMKeyProof: Hashable, Sendable {
    /// Conditions of one registration.
    package struct Requirement: Hashable, Sendable {
        /// The registered key: an uncompressed point (65 bytes, X9.63).
        package var publicKey: [UInt8]
        /// The qualifying data that the statement has to carry: a digest of what the registration signs.
        package var qualification: [UInt8]
        /// Whether an index that counts wrong PINs has to guard the key.
        package var isPinRequired: Bool
        /// The most wrong PINs that an index may take; nil judges no limit.
        package var attemptLimit: UInt32?

        package init(publicKey: [UInt8], qualification: [UInt8], isPinRequired: Bool, attemptLimit: UInt32? = nil) {
            self.publicKey = publicKey
            self.qualification = qualification
            self.isPinRequired = isPinRequired
            self.attemptLimit = attemptLimit
        }
    }

    package let keyName: [UInt8]
    /// Name of the index that counts wrong PINs; nil for a key that the chip guards with no PIN.
    package let indexName: [UInt8]?

    /// Verifies a statement that an attestation key has signed (TPM 2.0, part 3, section 18.2).
    ///
    /// The caller knows by a ``CredentialChallenge`` that a genuine chip holds the attestation key. Throws
    /// ``TPMRefusal``.
    package init(
        _ statement: TPMKeyStatement, signedBy attestationKey: TPMAttestationKey, meeting requirement: Requirement
    ) throws(TPMRefusal) {
        try attestationKey.require(statement.signature, over: statement.attest)
        let attest = try TPMAttest(statement.attest)
        guard attest.qualification == requirement.qualification else {
            throw .wrongQualification
        }
        let area = try TPMPublicArea(statement.publicArea, otherwise: .keyKind)
        guard attest.name == area.name else { throw .wrongName }
        try Self.requireKind(of: area)
        guard area.point == requirement.publicKey else { throw .foreignKey }
        keyName = area.name
        indexName = try Self.index(statement.index, of: area, isRequired: requirement.isPinRequired)
        if let limit = requirement.attemptLimit, let indexName {
            try attestationKey.requireCounts(of: statement, aboutIndex: indexName, limit, requirement.qualification)
        }
    }

    private static func requireKind(of area: TPMPublicArea) throws(TPMRefusal) {
        guard area.isForECDSA else { throw .keyKind }
        guard area.attributes.isSuperset(of: [.fixedTPM, .fixedParent]) else { throw .keyNotFixed }
        guard area.attributes.contains(.sensitiveDataOrigin) else { throw .keyImported }
        guard area.attributes.contains(.sign),
            area.attributes.isDisjoint(with: [.restricted, .decrypt, .certificates])
        else { throw .keyPurpose }
    }

    private static func index(
        _ bytes: [UInt8], of area: TPMPublicArea, isRequired: Bool
    ) throws(TPMRefusal) -> [UInt8]? {
        guard !bytes.isEmpty else {
            guard !isRequired else { throw .indexMissing }
            return nil
        }
        let index = try TPMAttemptIndex(bytes)
        guard !area.attributes.contains(.userWithAuth) else { throw .keyWithoutPolicy }
        guard area.policy == index.policy else { throw .wrongPolicy }
        return index.name
    }
}

extension TPMAttestationKey {
    /// Requires a statement about the content of an index, with a limit of one to `limit`.
    fileprivate func requireCounts(
        of statement: TPMKeyStatement, aboutIndex name: [UInt8], _ limit: UInt32, _ qualification: [UInt8]
    ) throws(TPMRefusal) {
        guard !statement.counts.isEmpty else { throw .limitMissing }
        try require(statement.countsSignature, over: statement.counts)
        let counts = try TPMAttest.Counts(statement.counts)
        guard counts.qualification == qualification else { throw .wrongQualification }
        guard counts.name == name else { throw .foreignIndex }
        guard counts.limit > 0, counts.limit <= limit else { throw .limit }
    }
}

import Crypto
import DeviceAttestation
package import FoundationEssentials
import Octets
import SwiftASN1
import X509

/// Verification of answers with passkeys (Web Authentication Level 3, sections 7.1 and 7.2), a function of its input.
///
/// The checks have the order of the standard's steps, and every refusal carries the number of its step.
package struct PasskeyVerification: Sendable {
    let settings: PasskeySettings

    package init(settings: PasskeySettings) {
        self.settings = settings
    }

    /// Judges an answer with a new passkey (section 7.1).
    ///
    /// - Parameters:
    ///   - answer: The answer.
    ///   - offer: The request that it answers; the caller has consumed its challenge.
    ///   - isRegistered: Whether any user has registered a credential with this identifier.
    ///   - time: The time that certificates have to be valid at.
    /// - Returns: The passkey to store.
    /// - Throws: The first step that the answer breaks.
    package func registration(
        _ answer: RegistrationAnswer, for offer: CreationOffer, isRegistered: Bool, at time: Date
    ) async throws(PasskeyError) -> VerifiedPasskey {
        do throws(PasskeyRefusal) {
            let clientDataDigest = try ClientCheck(
                settings: settings, challenge: offer.challenge, ceremony: .registration
            )
            .digest(of: answer.clientData)
            let object = try AttestationObject(answer.attestationObject)
            try requireReport(
                object.report, needsUser: !offer.isConditional, needsVerification: offer.userVerification == .required)
            guard settings.takesSyncedKeys || !object.report.flags.contains(.backupEligible) else {
                throw .backupEligibility
            }
            let key = try CredentialKey(
                object.credential.key, octets: object.credential.keyOctets, offered: settings.algorithms)
            let attestation = try await attestation(of: object, key, clientDataDigest, at: time)
            guard (1...1023).contains(object.credential.id.count) else { throw .credentialIDLength }
            guard !isRegistered else { throw .alreadyRegistered }
            guard object.credential.id == answer.id else { throw .foreignCredentialID }
            return VerifiedPasskey(answer, object, key, attestation, for: offer.user)
        } catch {
            throw PasskeyError(error, in: .registration)
        }
    }

    /// Judges an answer with a signature (section 7.2).
    ///
    /// - Parameters:
    ///   - answer: The answer.
    ///   - offer: The request that it answers; the caller has consumed its challenge.
    ///   - record: The passkey with the identifier of the answer; nil when there is none.
    /// - Returns: The sign-in, with what to write into the record.
    /// - Throws: The first step that the answer breaks.
    package func authentication(
        _ answer: AssertionAnswer, for offer: RequestOffer, record: PasskeyRecord?
    ) throws(PasskeyError) -> VerifiedPasskeyUse {
        do throws(PasskeyRefusal) {
            let record = try requiredRecord(record, of: answer, for: offer)
            let report = try AuthenticatorReport(answer.authenticatorData)
            guard report.credential == nil else { throw .authenticatorData }
            let clientDataDigest = try ClientCheck(
                settings: settings, challenge: offer.challenge, ceremony: .authentication
            ).digest(of: answer.clientData)
            try requireReport(report, needsUser: true, needsVerification: offer.userVerification == .required)
            let isBackupEligible = report.flags.contains(.backupEligible)
            guard isBackupEligible == record.isBackupEligible ?? isBackupEligible,
                settings.takesSyncedKeys || !isBackupEligible
            else { throw .backupEligibility }
            guard record.key.verifier.verifies(answer.signature, over: report.octets + clientDataDigest) else {
                throw .signature
            }
            let (last, next) = (record.state.signCounter, report.signCounter)
            guard next > last || last == 0 && next == 0 else { throw .signCounter }
            return VerifiedPasskeyUse(of: record, report)
        } catch {
            throw PasskeyError(error, in: .authentication)
        }
    }

    // MARK: - Steps

    /// Steps 5 and 6 of section 7.2: the credential is one that may answer, and it is the user's.
    private func requiredRecord(
        _ record: PasskeyRecord?, of answer: AssertionAnswer, for offer: RequestOffer
    ) throws(PasskeyRefusal) -> PasskeyRecord {
        guard offer.allowed.isEmpty || offer.allowed.contains(where: { $0.id == answer.id }) else { throw .notAllowed }
        guard let record, record.descriptor.id == answer.id else { throw .unknownCredential }
        guard let user = offer.user ?? answer.user else { throw .userMissing }
        guard record.user == user else { throw .unknownCredential }
        guard answer.user == nil || answer.user == user else { throw .foreignUser }
        return record
    }

    /// Steps 14 to 17 of section 7.1, and 15 to 18 of section 7.2.
    private func requireReport(
        _ report: AuthenticatorReport, needsUser: Bool, needsVerification: Bool
    ) throws(PasskeyRefusal) {
        guard SHA256.hash(data: Array(settings.relyingPartyID.utf8)).elementsEqual(report.relyingPartyDigest) else {
            throw .relyingPartyID
        }
        guard !needsUser || report.flags.contains(.userPresent) else { throw .userPresence }
        guard !needsVerification || report.flags.contains(.userVerified) else { throw .userVerification }
        guard report.flags.contains(.backupEligible) || !report.flags.contains(.backedUp) else { throw .backupState }
    }

    // MARK: - Attestation

    /// Steps 21 to 24 of section 7.1.
    private func attestation(
        of object: AttestationObject, _ key: CredentialKey, _ clientDataDigest: [UInt8], at time: Date
    ) async throws(PasskeyRefusal) -> VerifiedPasskey.Attestation {
        let policy = settings.attestation
        let format = AttestationFormat.allCases.first { $0.rawValue.hasSameOctets(as: object.format) }
        guard format != nil || policy.takesUnknownFormats else { throw .format }
        let verifier = StatementVerifier(
            object: object, key: key, clientDataDigest: clientDataDigest,
            requiresAndroidHardware: policy.requiresAndroidHardware)
        let evidence: StatementVerifier.Evidence
        do throws(StatementRefusal) {
            if let format { evidence = try verifier.evidence(of: format) } else { evidence = .none }
        } catch {
            throw .statement(error)
        }
        let model = policy.models[object.credential.model]
        guard model?.isRevoked != true else { throw .revokedModel }
        switch evidence {
        case .none:
            guard policy.takesNone else { throw .attestationMissing }
            return .none
        case .itself:
            guard policy.takesSelf else { throw .attestationMissing }
            return .itself
        case .certificates(let certificates):
            return try await trusted(certificates, by: model?.roots ?? policy.roots, at: time)
        }
    }

    /// Critical where the subject is empty, as in certificates of chips.
    private static let alternativeNames: ASN1ObjectIdentifier = [2, 5, 29, 17]

    private func trusted(
        _ certificates: [[UInt8]], by roots: TrustRoots?, at time: Date
    ) async throws(PasskeyRefusal) -> VerifiedPasskey.Attestation {
        let takesUnknown = settings.attestation.takesUnknownRoots
        guard let roots else {
            guard takesUnknown else { throw .rootMissing }
            return .itself
        }
        do throws(PathRefusal) {
            _ = try await roots.path(
                of: certificates, at: time, processing: [Self.alternativeNames], takesRootItself: true)
            return .certified
        } catch {
            guard takesUnknown else { throw .certificatePath(error) }
            return .itself
        }
    }
}

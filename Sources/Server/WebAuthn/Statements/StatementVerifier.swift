import Crypto
import DeviceAttestation
import StrictCBOR
import X509

/// Verification of an attestation statement by the procedure of its format (section 8).
struct StatementVerifier {
    /// Outcome: who speaks for the key.
    enum Evidence {
        case none
        /// The key itself.
        case itself
        /// The holder of the key of the first of these certificates (DER); their path is not judged yet.
        case certificates([[UInt8]])
    }

    let object: AttestationObject
    let key: CredentialKey
    /// SHA-256 of the client data.
    let clientDataDigest: [UInt8]
    let requiresAndroidHardware: Bool

    func evidence(of format: AttestationFormat) throws(StatementRefusal) -> Evidence {
        switch format {
        case .none: try none()
        case .packed: try packed()
        case .tpm: try tpm()
        case .apple: try apple()
        case .androidKey: try androidKey()
        case .fidoU2F: try fidoU2F()
        }
    }

    // MARK: - None and packed

    private func none() throws(StatementRefusal) -> Evidence {
        guard object.statement.members.isEmpty else { throw .syntax }
        return .none
    }

    /// Section 8.2.
    private func packed() throws(StatementRefusal) -> Evidence {
        guard object.statement["x5c"] != nil else {
            let (algorithm, signature) = try signed(with: [])
            guard algorithm == key.algorithm.rawValue else { throw .algorithm }
            try require(signature, by: key.verifier)
            return .itself
        }
        let (algorithm, signature) = try signed(with: ["x5c"])
        let (leaf, certificates) = try chain()
        try require(signature, by: try verifier(of: leaf, algorithm))
        try leaf.requirePackedForm()
        try leaf.requireModel(object.credential.model)
        return .certificates(certificates)
    }

    // MARK: - Parts of statements

    /// Bytes that most formats sign: the authenticator data and the digest of the client data.
    var signedBytes: [UInt8] { object.report.octets + clientDataDigest }

    /// Algorithm and signature of a statement that has these other members as well.
    func signed(with others: [String]) throws(StatementRefusal) -> (algorithm: Int64, signature: [UInt8]) {
        guard object.statement.has(exactly: ["alg", "sig"] + others),
            let algorithm = object.statement["alg"]?.integer, let signature = object.statement["sig"]?.octets
        else { throw .syntax }
        return (algorithm, signature)
    }

    /// The certificates of a statement (DER), and the first of them read.
    func chain() throws(StatementRefusal) -> (leaf: Certificate, certificates: [[UInt8]]) {
        let certificates = object.statement["x5c"]?.elements?.map(\.octets) ?? []
        guard let first = certificates.first, let first, certificates.allSatisfy({ $0 != nil }) else { throw .syntax }
        do throws(PathRefusal) {
            return (try TrustRoots.certificate(first), certificates.compactMap(\.self))
        } catch {
            throw .certificate(error)
        }
    }

    func verifier(of leaf: Certificate, _ algorithm: Int64) throws(StatementRefusal) -> SignatureVerifier {
        guard let verifier = SignatureVerifier(leaf.publicKey, algorithm: algorithm) else { throw .algorithm }
        return verifier
    }

    func require(_ signature: [UInt8], by verifier: SignatureVerifier) throws(StatementRefusal) {
        guard verifier.verifies(signature, over: signedBytes) else { throw .signature }
    }
}

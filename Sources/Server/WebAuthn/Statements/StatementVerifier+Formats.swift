import Crypto
import CryptoExtras
import DeviceAttestation
import Octets
import StrictCBOR
import SwiftASN1
import X509

extension StatementVerifier {
    /// Statement of a TPM (section 8.3): the chip certifies the key with a key that its maker has certified.
    func tpm() throws(StatementRefusal) -> Evidence {
        let (algorithm, signature) = try signed(with: ["ver", "x5c", "certInfo", "pubArea"])
        guard object.statement["ver"]?.text?.hasSameOctets(as: "2.0") == true,
            let statement = object.statement["certInfo"]?.octets, let area = object.statement["pubArea"]?.octets
        else { throw .syntax }
        let (leaf, certificates) = try chain()
        do throws(TPMRefusal) {
            let area = try TPMCredentialArea(area)
            guard isKey(area.key) else { throw .foreignKey }
            let attest = try TPMAttest(statement, ignoresClock: true)
            // Each algorithm that is offered signs a digest of SHA-256.
            guard SHA256.hash(data: signedBytes).elementsEqual(attest.qualification) else { throw .wrongQualification }
            guard attest.name == area.name else { throw .wrongName }
        } catch {
            throw .tpm(error)
        }
        guard try verifier(of: leaf, algorithm).verifies(signature, over: statement) else { throw .signature }
        try leaf.requireAttestationKeyForm()
        try leaf.requireModel(object.credential.model)
        return .certificates(certificates)
    }

    private func isKey(_ claimed: TPMCredentialArea.Key) -> Bool {
        switch (key.verifier, claimed) {
        case (.es256(let key), .p256(let point)): return key.x963Representation.elementsEqual(point)
        case (.rs256(let key), .rsa(let modulus, let exponent)):
            guard let numbers = try? key.getKeyPrimitives() else { return false }
            return numbers.modulus.elementsEqual(modulus) && numbers.publicExponent.elementsEqual(exponent)
        default: return false
        }
    }

    /// Statement of Android's key store (section 8.4): the certificate of the key describes it.
    func androidKey() throws(StatementRefusal) -> Evidence {
        let (algorithm, signature) = try signed(with: ["x5c"])
        let (leaf, certificates) = try chain()
        try require(signature, by: try verifier(of: leaf, algorithm))
        guard leaf.publicKey == key.verifier.certified else { throw .foreignKey }
        do throws(AndroidRefusal) {
            guard let value = leaf.extensions[oid: AndroidKeyDescription.identifier]?.value else {
                throw .extensionMissing
            }
            try AndroidKeyDescription(value)
                .requireSigningKey(for: clientDataDigest, inHardware: requiresAndroidHardware)
        } catch {
            throw .android(error)
        }
        return .certificates(certificates)
    }

    /// Statement of Apple (section 8.8): a certificate of the key that names this registration.
    func apple() throws(StatementRefusal) -> Evidence {
        guard object.statement.has(exactly: ["x5c"]) else { throw .syntax }
        let (leaf, certificates) = try chain()
        guard let nonce = leaf.appleNonce, SHA256.hash(data: signedBytes).elementsEqual(nonce) else { throw .nonce }
        guard leaf.publicKey == key.verifier.certified else { throw .foreignKey }
        return .certificates(certificates)
    }

    /// Statement of a FIDO U2F token (section 8.6), which signs neither flags nor counter.
    func fidoU2F() throws(StatementRefusal) -> Evidence {
        guard object.statement.has(exactly: ["sig", "x5c"]), let signature = object.statement["sig"]?.octets else {
            throw .syntax
        }
        let (leaf, certificates) = try chain()
        guard certificates.count == 1 else { throw .syntax }
        guard case .es256(let credential) = key.verifier else { throw .foreignKey }
        let message =
            [0] + object.report.relyingPartyDigest + clientDataDigest + object.credential.id
            + Array(credential.x963Representation)
        let verifier = try verifier(of: leaf, COSEAlgorithm.es256.rawValue)
        guard verifier.verifies(signature, over: message) else { throw .signature }
        return .certificates(certificates)
    }
}

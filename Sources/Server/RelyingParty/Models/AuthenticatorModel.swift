import SwiftASN1
package import UAF
import X509

/// One authenticator model with everything that is derived from its metadata statement.
package final class AuthenticatorModel: Sendable {
    package let statement: MetadataStatement
    package let isRevoked: Bool
    /// Characteristics that policies judge it by; nil when its user verification cannot be expressed, so only its AAID
    /// names it.
    let characteristics: AuthenticatorCharacteristics?
    /// The algorithms its keys may use, the stated one first.
    let algorithms: [AuthenticationAlgorithm]
    /// The roots of full attestation that can be read.
    let roots: [Certificate]
    /// The public keys of authorities that can be read.
    let rootKeys: [Certificate.PublicKey]

    init(_ statement: MetadataStatement, isRevoked: Bool) {
        self.statement = statement
        self.isRevoked = isRevoked
        characteristics = statement.characteristics
        algorithms = statement.authenticationAlgorithms
        roots = statement.attestationRootCertificates.compactMap { try? Certificate(derEncoded: $0) }
        rootKeys = statement.attestationRootKeys.compactMap { try? Certificate.PublicKey(derEncoded: $0) }
    }

    /// Whether keys of the model live outside the device, so that a KeyID may be a wrapped key handle.
    var isSecondFactorRoaming: Bool {
        statement.isSecondFactorOnly && !statement.attachmentHint.contains(.internal)
    }
}

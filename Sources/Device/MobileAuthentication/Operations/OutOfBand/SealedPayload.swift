package import JOSE
import UAFClient

/// Message that a server encrypted to this device, a compact JWE.
package struct SealedPayload: SealedMessage {
    package typealias Refusal = JOSEError

    let token: CompactJWE

    package init(parsing text: String) throws(JOSEError) { token = try CompactJWE(parsing: text) }

    package var keyID: String? { token.keyID }
}

import Crypto
package import Foundation
import SwiftASN1
import X509

/// A certificate that signs itself, valid for as long as a test wants.
package enum TestCertificate {
    /// Certificate in PEM form.
    package static func chain(from begin: Date, days: Double) throws -> String {
        try pair(from: begin, days: days).chain
    }

    /// Certificate and private key in PEM form.
    package static func pair(from begin: Date, days: Double) throws -> (chain: String, key: String) {
        let key = P256.Signing.PrivateKey()
        let name = try DistinguishedName { CommonName("localhost") }
        let certificate = try Certificate(
            version: .v3, serialNumber: .init(), publicKey: .init(key.publicKey), notValidBefore: begin,
            notValidAfter: begin + days * 86_400, issuer: name, subject: name, signatureAlgorithm: .ecdsaWithSHA256,
            extensions: try Certificate.Extensions { try ExtendedKeyUsage([.serverAuth]) }, issuerPrivateKey: .init(key)
        )
        return (try certificate.serializeAsPEM().pemString + "\n", key.pemRepresentation + "\n")
    }
}

import Crypto
import Octets
package import StrictJSON
package import UAF

/// Content of a receipt that is written with the confirmation: everything but who states it to whom and when, and the
/// place in the audit.
package struct ReceiptContent: Sendable, Hashable {
    package let subject: String
    package let username: String
    package let ceremony: String
    package let text: String?
    package let credential: CredentialID
    package let registration: String
    package let algorithm: AuthenticationAlgorithm
    package let publicKey: EncodedPublicKey
    package let protection: String
    package let assertion: [UInt8]
    package let finalChallenge: [UInt8]

    package init(
        subject: String, username: String, ceremony: String, text: String?, credential: CredentialID,
        registration: String, algorithm: AuthenticationAlgorithm, publicKey: EncodedPublicKey, protection: String,
        assertion: [UInt8], finalChallenge: [UInt8]
    ) {
        self.subject = subject
        self.username = username
        self.ceremony = ceremony
        self.text = text
        self.credential = credential
        self.registration = registration
        self.algorithm = algorithm
        self.publicKey = publicKey
        self.protection = protection
        self.assertion = assertion
        self.finalChallenge = finalChallenge
    }

    /// The claims, as they are kept (docs/web/back-ends.md).
    package var claims: JSONObject {
        [
            "ver": .integer(Receipt.version), "sub": .string(subject), "preferred_username": .string(username),
            "sid": .string(ceremony),
            "txn": text.map { text in
                .object([
                    "text": .string(text), "sha256": .string(Base64URL.encode(Self.hash(of: text))),
                ])
            },
            "key": .object([
                "aaid": .string(credential.aaid.text), "keyId": .string(credential.keyID.base64URL),
                "extId": .string(registration), "alg": .integer(algorithm.rawValue),
                "format": .integer(publicKey.format.rawValue),
                "publicKey": .string(Base64URL.encode(publicKey.octets)), "protection": .string(protection),
            ]),
            "assertion": .string(Base64URL.encode(assertion)),
            "fcParams": .string(String(decoding: finalChallenge, as: UTF8.self)),
        ]
    }

    /// SHA-256 of a text, as phone and server make it: over its UTF-8.
    package static func hash(of text: String) -> [UInt8] { Array(SHA256.hash(data: Array(text.utf8))) }
}

import Crypto
import JOSE
import Octets
import StrictJSON

/// The holder of a private key, as a key vault would be one: it agrees on secrets and JOSE opens with them.
struct JWEReceiver {
    let privateKey: P256.KeyAgreement.PrivateKey

    /// A receiver with a fresh key.
    init() {
        privateKey = P256.KeyAgreement.PrivateKey()
    }

    /// The receiver whose private JWK a vector file states.
    init(privateJWK members: JSONObject) throws {
        privateKey = try P256.KeyAgreement.PrivateKey(
            rawRepresentation: Base64URL.decode(members.string("d")))
    }

    /// The key to seal to.
    var publicKey: JWK {
        get throws { try JWK(encrypting: JWK.Material(p256Point: Array(privateKey.publicKey.x963Representation))) }
    }

    /// What both sides agree on.
    func secret(with point: [UInt8]) throws -> SecretOctets {
        let key = try P256.KeyAgreement.PublicKey(x963Representation: point)
        let secret = try privateKey.sharedSecretFromKeyAgreement(with: key)
        return SecretOctets(copying: secret.withUnsafeBytes { Array($0) })
    }

    /// Reads and opens a token.
    func open(_ text: String, accepting acceptance: JWEAcceptance = .agreement) throws -> [UInt8] {
        let token = try CompactJWE(parsing: text, accepting: acceptance)
        return try token.open(agreedSecret: secret(with: token.ephemeralKey))
    }
}

extension JSONObject {
    /// A member that is an object.
    func object(_ name: String) throws -> JSONObject {
        try required(name) { value throws(JSONTypeError) in try value.asObject() }
    }

    /// A member that is bytes in base64url.
    func octets(_ name: String) throws -> [UInt8] {
        try Base64URL.decode(string(name))
    }
}

import Crypto
import CryptoExtras
package import JOSE
import Octets
import StrictJSON

/// The identity under which the server talks to the push service: the file that the service's console gives out.
package struct ServiceAccount: Sendable {
    package static let maximumByteCount = 64 * 1024

    /// The project whose applications get the messages.
    package let projectID: String
    package let tokenAddress: HTTPSAddress
    let clientEmail: String
    private let keyID: String
    private let key: _RSA.Signing.PrivateKey

    /// Reads the file; members that we do not need are ignored.
    ///
    /// `tokenAddress` stands in place of the file's. Throws ``ServerPushError/unusableServiceAccount(_:)``.
    package init(json file: [UInt8], tokenAddress: HTTPSAddress? = nil) throws(ServerPushError) {
        let limits = JSONLimits(byteCount: Self.maximumByteCount, depth: 4)
        guard let members = try? JSONParser.parse(file, limits: limits).asObject() else {
            throw .unusableServiceAccount(.malformed)
        }
        guard try Self.text("type", in: members).hasSameOctets(as: "service_account") else {
            throw .unusableServiceAccount(.member(name: "type"))
        }
        projectID = try Self.text("project_id", in: members, where: Self.isProjectID)
        clientEmail = try Self.text("client_email", in: members)
        keyID = try Self.text("private_key_id", in: members)
        guard let address = HTTPSAddress(try Self.text("token_uri", in: members)) else {
            throw .unusableServiceAccount(.member(name: "token_uri"))
        }
        self.tokenAddress = tokenAddress ?? address
        key = try Self.key(Self.text("private_key", in: members, longest: 16 * 1024, where: { _ in true }))
    }

    package var publicKey: JWK? {
        guard let numbers = try? key.publicKey.getKeyPrimitives() else { return nil }
        return try? JWK(
            verifying: .rsa(modulus: Array(numbers.modulus), exponent: Array(numbers.publicExponent)), keyID: keyID)
    }

    /// A JWT that states the identity of the account, for the exchange into an access token (RFC 7523, 2.1); valid for
    /// an hour.
    ///
    /// `now` is in seconds since 1970. Nil when the library does not sign.
    package func assertion(now: Int64) -> String? {
        let claims: JSONObject = [
            "iss": .string(clientEmail), "scope": .string(Self.scope), "aud": .string(tokenAddress.text),
            "iat": .integer(now), "exp": .integer(now + 3_600),
        ]
        let unsigned = UnsignedJWS(
            header: JOSEHeader(algorithm: .rs256, keyID: keyID, type: "JWT"),
            payload: JSONWriter.write(.object(claims)))
        let digest = SHA256.hash(data: unsigned.signingInput)
        guard let signature = try? key.signature(for: digest, padding: .insecurePKCS1v1_5) else { return nil }
        return unsigned.signed(with: Array(signature.rawRepresentation))
    }

    static let scope = "https://www.googleapis.com/auth/firebase.messaging"

    // MARK: - Members

    private static func text(
        _ name: String, in members: JSONObject, longest: Int = 512,
        where isAcceptable: (String) -> Bool = isPrintable
    ) throws(ServerPushError) -> String {
        guard let text = try? members.string(name), (1...longest).contains(text.utf8.count), isAcceptable(text) else {
            throw .unusableServiceAccount(.member(name: name))
        }
        return text
    }

    private static func key(_ pem: String) throws(ServerPushError) -> _RSA.Signing.PrivateKey {
        guard let key = try? _RSA.Signing.PrivateKey(pemRepresentation: pem), key.keySizeInBits <= 4_096 else {
            throw .unusableServiceAccount(.privateKey)
        }
        return key
    }

    private static func isPrintable(_ text: String) -> Bool { text.utf8.allSatisfy { (0x21...0x7E).contains($0) } }

    /// A project is named in the path of requests; a colon stands behind the domain of old ones.
    private static func isProjectID(_ text: String) -> Bool {
        text.utf8.allSatisfy { octet in
            switch octet {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
            default: "-.:".utf8.contains(octet)
            }
        } && !text.contains("..")
    }
}

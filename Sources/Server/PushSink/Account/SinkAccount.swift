import CryptoExtras
import JOSE
import Octets
package import ServerCore
import StrictJSON

/// The service account that the sink has made for the server, with both halves of its key.
///
/// The real service keeps the public half only; the sink reads it from the file that it has given out.
package struct SinkAccount: Sendable {
    /// Distinguishes files of the sink from files of the real service.
    private static let domain = "signet-push-sink.invalid"

    let projectID: String
    /// The `iss` of assertions.
    let clientEmail: String
    private let keyID: String
    private let key: _RSA.Signing.PrivateKey

    /// Makes an account with a fresh RSA key of 2048 bits.
    ///
    /// Throws ``PushSinkError/noKey``.
    package static func make(random: any RandomSource) throws(PushSinkError) -> SinkAccount {
        guard let key = try? _RSA.Signing.PrivateKey(keySize: .bits2048) else { throw .noKey }
        let mark = Hex.encode(random.bytes(count: 4))
        return SinkAccount(
            projectID: "push-sink-\(mark)", clientEmail: "signet-server@push-sink-\(mark).\(domain)",
            keyID: Hex.encode(random.bytes(count: 20)), key: key)
    }

    /// Reads the file that ``json(origin:)`` has written.
    ///
    /// Throws ``PushSinkError/foreignServiceAccount``.
    package init(json file: [UInt8]) throws(PushSinkError) {
        let limits = JSONLimits(byteCount: 64 * 1024, depth: 4)
        guard let members = try? JSONParser.parse(file, limits: limits).asObject(),
            let projectID = try? members.string("project_id"), let email = try? members.string("client_email"),
            email.hasSuffix("." + Self.domain), let keyID = try? members.string("private_key_id"),
            let pem = try? members.string("private_key"), let key = try? _RSA.Signing.PrivateKey(pemRepresentation: pem)
        else { throw .foreignServiceAccount }
        self.init(projectID: projectID, clientEmail: email, keyID: keyID, key: key)
    }

    private init(projectID: String, clientEmail: String, keyID: String, key: _RSA.Signing.PrivateKey) {
        self.projectID = projectID
        self.clientEmail = clientEmail
        self.keyID = keyID
        self.key = key
    }

    /// The file as the real service gives it out, with the private key in it; `origin` is where the sink listens.
    package func json(origin: String) -> [UInt8] {
        JSONWriter.write(
            .object([
                "type": .string("service_account"), "project_id": .string(projectID),
                "private_key_id": .string(keyID), "private_key": .string(key.pkcs8PEMRepresentation),
                "client_email": .string(clientEmail), "client_id": .string("0"),
                "auth_uri": .string(origin + "/auth"), "token_uri": .string(origin + "/token"),
                "universe_domain": .string(Self.domain),
            ]))
    }

    func verifyingKey() throws(PushSinkError) -> JWK {
        guard let numbers = try? key.publicKey.getKeyPrimitives(),
            let publicKey = try? JWK(
                verifying: .rsa(modulus: Array(numbers.modulus), exponent: Array(numbers.publicExponent)),
                keyID: keyID)
        else { throw .noKey }
        return publicKey
    }
}

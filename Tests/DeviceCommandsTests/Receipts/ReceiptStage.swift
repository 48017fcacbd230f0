import Crypto
import JOSE
import Octets
import Receipts
import StrictJSON
import UAF

/// A server key, a phone key, and receipts that both have made; every part can be changed before it is signed.
struct ReceiptStage {
    /// Failure of the setup.
    struct Fault: Error {}

    let server = P256.Signing.PrivateKey()
    let phone = P256.Signing.PrivateKey()
    let text = "Pay 100 EUR to Änna"
    let credential: CredentialID
    let parameters: FinalChallengeParameters

    init() throws {
        guard let aaid = AAID("FFFF#2001"), let keyID = KeyID([UInt8](repeating: 7, count: 32)),
            let appID = AppID("https://login.example.com/facets"), let facet = FacetID("ios:bundle-id:com.example.app"),
            let challenge = ServerChallenge([UInt8](repeating: 9, count: 32))
        else { throw Fault() }
        credential = CredentialID(aaid: aaid, keyID: keyID)
        parameters = FinalChallengeParameters(appID: appID, challenge: challenge, facetID: facet)
    }

    /// Public keys of the server's receipts.
    var keys: JWKS {
        get throws { try JWKS([try key(server)]) }
    }

    func key(_ key: P256.Signing.PrivateKey, named name: String = "receipts-1") throws -> JWK {
        let point = Array(key.publicKey.rawRepresentation)
        return try JWK(verifying: .p256(x: Array(point.prefix(32)), y: Array(point.suffix(32))), keyID: name)
    }

    /// Data that the phone signs: a text, and the hash of the parameters.
    func assertion(of text: String?, by key: P256.Signing.PrivateKey? = nil) throws -> [UInt8] {
        let hash = text.map { Array(SHA256.hash(data: Array($0.utf8))) } ?? []
        let info = AssertionInfo(
            authenticatorVersion: 1, mode: AuthenticationMode(rawValue: text == nil ? 1 : 2),
            signatureAlgorithm: .secp256r1ECDSASHA256DER)
        let signed = try SignedData(
            credential: credential, info: info, nonce: [UInt8](repeating: 3, count: 8),
            hashes: BoundHashes(finalChallenge: parameters.hash, transactionContent: hash), signCounter: 5)
        let signature = try (key ?? phone).signature(for: signed.octets)
        return try AuthenticationAssertion(signedData: signed, signature: Array(signature.derRepresentation)).encoded()
    }

    /// Content of a receipt, with parts in place of the honest ones.
    func content(
        text: String?, assertion: [UInt8]? = nil, publicKey: P256.Signing.PublicKey? = nil,
        finalChallenge: String? = nil
    ) throws -> ReceiptContent {
        let point = Array((publicKey ?? phone.publicKey).x963Representation)
        return ReceiptContent(
            subject: "jeff-ext", username: "jeff", ceremony: "AAAAAAAAAAAAAAAAAAAAAA", text: text,
            credential: credential, registration: "BBBBBBBBBBBBBBBBBBBBBB", algorithm: .secp256r1ECDSASHA256DER,
            publicKey: EncodedPublicKey(format: .eccX962Raw, octets: point), protection: "chip",
            assertion: try assertion ?? self.assertion(of: text),
            finalChallenge: Array((finalChallenge ?? parameters.encoded).utf8))
    }

    /// Claims with a place in the audit.
    func claims(_ content: ReceiptContent, record: [UInt8] = [UInt8](repeating: 1, count: 32)) -> JSONObject {
        Receipt.claims(
            content.claims, issuer: "https://login.example.com", audience: "client:shop", confirmedAt: 1_700_000_000,
            record: (chain: "signet", sequence: 42, hash: record))
    }

    /// Signed receipt of claims.
    func receipt(
        _ claims: JSONObject, type: String = Receipt.type, by key: P256.Signing.PrivateKey? = nil,
        named name: String = "receipts-1"
    ) throws -> String {
        let unsigned = UnsignedJWS(
            header: JOSEHeader(algorithm: .es256, keyID: name, type: type), payload: JSONWriter.write(.object(claims)))
        return unsigned.signed(with: Array(try (key ?? server).signature(for: unsigned.signingInput).rawRepresentation))
    }

    /// Line of an exported audit for the receipt, and the hash of its record.
    func record(
        sequence: Int64 = 42, ceremony: String = "AAAAAAAAAAAAAAAAAAAAAA", text: String?
    ) -> (line: [UInt8], hash: [UInt8]) {
        let hash = text.map { Base64URL.encode(Array(SHA256.hash(data: Array($0.utf8)))) }
        let event: JSONValue = .object([
            "event": .string("TRANSACTION_SUCCEEDED"), "sessionId": .string(ceremony),
            "txnHash": hash.map { .string($0) },
        ])
        let previous = [UInt8](repeating: 8, count: 32)
        let fixed = { (number: Int64) in
            stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: number >> Int64($0)) }
        }
        let name = Array("signet".utf8)
        let octets = previous + fixed(6) + name + fixed(sequence) + JSONWriter.write(event, escapesMarkup: true)
        let recordHash = Array(SHA256.hash(data: octets))
        let line = JSONWriter.write(
            .object([
                "chain": .string("signet"), "sequence": .integer(sequence), "event": event,
                "previousHash": .string(Base64URL.encode(previous)), "hash": .string(Base64URL.encode(recordHash)),
            ]))
        return (line: line, hash: recordHash)
    }
}

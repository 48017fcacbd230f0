import Octets
package import StrictJSON
import UAF

extension Receipt {
    package static func claims(
        _ content: JSONObject, issuer: String, audience: String, confirmedAt: Int64,
        record: (chain: String, sequence: Int64, hash: [UInt8])
    ) -> JSONObject {
        var claims: JSONObject = [
            "iss": .string(issuer), "aud": .string(audience), "iat": .integer(confirmedAt),
        ]
        for member in content.members { claims.append(member.name, member.value) }
        claims.append(
            "audit",
            .object([
                "chain": .string(record.chain), "sequence": .integer(record.sequence),
                "hash": .string(Base64URL.encode(record.hash)),
            ]))
        return claims
    }

    /// Reads claims; throws ``ReceiptError/malformed(claim:)`` for one that is missing or of another form, and
    /// ``ReceiptError/refused(_:)`` with ``ReceiptFinding/text`` when the text does not have its SHA-256.
    package init(claims octets: [UInt8]) throws(ReceiptError) {
        let limits = JSONLimits(byteCount: Self.byteLimit, depth: 4, elementCount: 64)
        guard let claims = try? JSONParser.parse(octets, limits: limits).asObject() else {
            throw .malformed(claim: nil)
        }
        do throws(JSONTypeError) {
            let version: Int64 = try claims.integer("ver")
            guard version == Self.version else { throw JSONTypeError(path: ["ver"], .outOfRange) }
            let audit = try claims.required("audit") { value throws(JSONTypeError) in try value.asObject() }
            self.init(
                try ReceiptContent(claims), issuer: try claims.string("iss"), audience: try claims.string("aud"),
                confirmedAt: try claims.integer("iat"), chain: try audit.string("chain"),
                sequence: try audit.integer("sequence"), recordHash: try audit.octets("hash"))
        } catch {
            throw .malformed(claim: error.path.joined(separator: "."))
        }
        let stated = claims["txn"].flatMap { try? $0.asObject().octets("sha256") }
        guard stated == text.map(ReceiptContent.hash(of:)) else { throw .refused(.text) }
    }
}

extension ReceiptContent {
    fileprivate init(_ claims: JSONObject) throws(JSONTypeError) {
        let key = try claims.required("key") { value throws(JSONTypeError) in try value.asObject() }
        let text = try claims.optional("txn") { value throws(JSONTypeError) in
            try value.asObject().string("text")
        }
        guard let aaid = AAID(try key.string("aaid")) else { throw JSONTypeError(path: ["key", "aaid"], .invalidForm) }
        guard let keyID = KeyID(base64URL: try key.string("keyId")) else {
            throw JSONTypeError(path: ["key", "keyId"], .invalidForm)
        }
        self.init(
            subject: try claims.string("sub"), username: try claims.string("preferred_username"),
            ceremony: try claims.string("sid"), text: text, credential: CredentialID(aaid: aaid, keyID: keyID),
            registration: try key.string("extId"),
            algorithm: AuthenticationAlgorithm(rawValue: try key.integer("alg")),
            publicKey: EncodedPublicKey(
                format: PublicKeyFormat(rawValue: try key.integer("format")), octets: try key.octets("publicKey")),
            protection: try key.string("protection"), assertion: try claims.octets("assertion"),
            finalChallenge: Array(try claims.string("fcParams").utf8))
    }
}

extension JSONObject {
    /// The octets of the base64url member `name`.
    fileprivate func octets(_ name: String) throws(JSONTypeError) -> [UInt8] {
        try required(name) { value throws(JSONTypeError) in
            let text = try value.asString()
            guard let octets = try? Base64URL.decode(text) else { throw JSONTypeError(.invalidForm) }
            return octets
        }
    }
}

import JOSE
import Octets
import StrictJSON

/// Ends of the chains at a moment, as a server has signed them.
struct AuditHeads: Sendable, Hashable {
    /// End of one chain.
    struct End: Sendable, Hashable {
        let head: AuditRecord.Head
        /// Number of the last record that only a lost key could prove; 0 for none.
        let lostThrough: Int64
    }

    /// `typ` of the signed form (RFC 7515, 4.1.9).
    static let type = "signet-audit-heads+jwt"
    /// Most chains in one statement, so that it stays readable (``CompactJWS/maximumByteCount``).
    private static let limit = 300

    /// In whole seconds.
    let signedAt: Timestamp
    let chains: [String: End]

    init(signedAt: Timestamp, chains: [String: End]) {
        self.signedAt = signedAt
        self.chains = chains
    }

    /// Reads what one of `keys` has signed; nil for anything else.
    init?(_ statement: String, signedBy keys: [JWK]) {
        guard let set = try? JWKS(keys), let token = try? CompactJWS(parsing: statement),
            token.header.type?.hasSameOctets(as: Self.type) == true, let verified = try? token.verified(by: set),
            let claims = try? JWTClaims(payload: verified.payload), let issuedAt = claims.issuedAt,
            case .array(let ends)? = claims.members["chains"]
        else { return nil }
        var chains: [String: End] = [:]
        for end in ends {
            guard case .object(let members) = end, let chain = try? members.string("chain"),
                let sequence: Int64 = try? members.integer("sequence"), let text = try? members.string("hash"),
                let octets = try? Base64URL.decode(text), let hash = AuditHash(stored: octets),
                let lostThrough: Int64 = try? members.integer("lostThrough")
            else { return nil }
            chains[chain] = End(head: .init(sequence: sequence, hash: hash), lostThrough: lostThrough)
        }
        self.init(signedAt: Timestamp(seconds: issuedAt), chains: chains)
    }

    /// The statement, signed.
    ///
    /// Throws ``ServerError/signingFailed``.
    func signed(by signer: KeySigner) throws(ServerError) -> String {
        let ends = chains.sorted { $0.key < $1.key }.prefix(Self.limit).map { chain, end in
            JSONValue.object([
                "chain": .string(chain), "sequence": .integer(end.head.sequence),
                "hash": .string(Base64URL.encode(end.head.hash.octets)), "lostThrough": .integer(end.lostThrough),
            ])
        }
        let members: JSONObject = ["iat": .integer(signedAt.seconds), "chains": .array(ends)]
        guard let claims = try? JWTClaims(members) else { throw .signingFailed }
        return try signer.token(claims, type: Self.type)
    }
}

import Octets
import ServerCore

/// Authentication of clients (OpenID Connect Core 1.0, 9; RFC 6749, 2.3).
struct ClientAuthentication: Sendable {
    let parts: ProviderParts
    let assertions: ClientAssertions

    /// Proof of the client that a request brings; exactly one of these.
    private enum Proof {
        case basic(id: String, secret: Sensitive<String>)
        case post(id: String, secret: Sensitive<String>)
        case assertion(Sensitive<String>, id: String?)
        case none(id: String)
    }

    /// The client of a request.
    ///
    /// Throws ``OpenIDRefusal/Code/invalidClient`` for an unknown client and a proof that does not hold alike, and
    /// ``OpenIDRefusal/Code/invalidRequest`` for none or two.
    func authenticate(_ request: ClientRequest) async throws(OpenIDRefusal) -> RegisteredClient {
        switch try proof(of: request) {
        case .basic(let id, let secret), .post(let id, let secret):
            guard let client = try await parts.client(named: id), case .secret(let hash) = client.authentication,
                Self.fits(secret, hash)
            else { throw OpenIDRefusal(.invalidClient) }
            return client
        case .assertion(let text, let id):
            return try await assertions.client(of: text, named: id, at: request.address)
        case .none(let id):
            guard let client = try await parts.client(named: id),
                client.authentication == RegisteredClient.Authentication.none
            else { throw OpenIDRefusal(.invalidClient) }
            return client
        }
    }

    private static func fits(_ text: Sensitive<String>, _ hash: ClientSecretHash) -> Bool {
        let shown = ClientSecretHash(of: text.reveal().utf8)
        return (try? ConstantTimeEquality.require(shown.octets, equals: hash.octets)) != nil
    }

    // MARK: - Reading

    private func proof(of request: ClientRequest) throws(OpenIDRefusal) -> Proof {
        let fields = request.fields
        let id = fields["client_id"]
        var proofs: [Proof] = []
        if let authorization = request.authorization {
            let basic = try Self.basic(authorization)
            if let id, !id.hasSameOctets(as: basic.id) { throw OpenIDRefusal(.invalidRequest, field: "client_id") }
            proofs.append(.basic(id: basic.id, secret: basic.secret))
        }
        if let text = fields["client_secret"] {
            guard let id else { throw OpenIDRefusal(.invalidRequest, field: "client_id") }
            proofs.append(.post(id: id, secret: Sensitive(text)))
        }
        if let text = fields["client_assertion"] {
            guard fields["client_assertion_type"] == ClientAssertions.type else {
                throw OpenIDRefusal(.invalidRequest, field: "client_assertion_type")
            }
            proofs.append(.assertion(Sensitive(text), id: id))
        }
        if proofs.isEmpty, let id { proofs.append(.none(id: id)) }
        guard let proof = proofs.first, proofs.count == 1 else {
            throw proofs.isEmpty ? OpenIDRefusal(.invalidClient) : OpenIDRefusal(.invalidRequest, field: "client_id")
        }
        return proof
    }

    /// Name and secret of the header, each encoded as in a form (RFC 6749, 2.3.1).
    private static func basic(
        _ field: Sensitive<String>
    ) throws(OpenIDRefusal) -> (id: String, secret: Sensitive<String>) {
        let words = field.reveal().split(separator: " ", maxSplits: 1)
        guard words.count == 2, words[0].lowercased() == "basic",
            let octets = try? Base64.decode(String(words[1])),
            let colon = octets.firstIndex(of: UInt8(ascii: ":")),
            let id = FormPairs.decode(octets[..<colon]), let text = FormPairs.decode(octets[(colon + 1)...])
        else { throw OpenIDRefusal(.invalidClient) }
        return (id: id, secret: Sensitive(text))
    }
}

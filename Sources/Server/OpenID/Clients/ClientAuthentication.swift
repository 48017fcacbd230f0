import Octets
import ServerCore

/// Authentication of clients (OpenID Connect Core 1.0, 9; RFC 6749, 2.3).
package struct ClientAuthentication: Sendable {
    let clients: any ClientRegistry
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
    package func authenticate(_ request: ClientRequest) async throws(OpenIDRefusal) -> RegisteredClient {
        switch try proof(of: request) {
        case .basic(let id, let secret), .post(let id, let secret):
            let client = try await known(id)
            guard case .secret(let hash) = client.authentication else {
                throw Self.refusal("the request has a secret, but the client has none registered", client)
            }
            guard Self.fits(secret, hash) else { throw Self.refusal("the secret is wrong", client) }
            return client
        case .assertion(let text, let id):
            return try await assertions.client(of: text, named: id, at: request.address)
        case .none(let id):
            let client = try await known(id)
            guard client.authentication == RegisteredClient.Authentication.none else {
                throw Self.refusal(
                    "the request has no client_secret and no client_assertion, but the client is not public", client)
            }
            return client
        }
    }

    private func known(_ id: String) async throws(OpenIDRefusal) -> RegisteredClient {
        guard let client = try await clients.client(named: id) else {
            throw OpenIDRefusal(.invalidClient, cause: "no client has this client_id, or it is disabled")
        }
        return client
    }

    private static func refusal(_ cause: String, _ client: RegisteredClient) -> OpenIDRefusal {
        OpenIDRefusal(.invalidClient, cause: cause, client: client.id)
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
            throw proofs.isEmpty
                ? OpenIDRefusal(.invalidClient, cause: "the request names no client")
                : OpenIDRefusal(
                    .invalidRequest, field: "client_id",
                    cause: "the client proves itself twice: send Basic, client_secret or client_assertion alone")
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
        else {
            throw OpenIDRefusal(
                .invalidClient, cause: "the Authorization header is not Basic with client_id and secret")
        }
        return (id: id, secret: Sensitive(text))
    }
}

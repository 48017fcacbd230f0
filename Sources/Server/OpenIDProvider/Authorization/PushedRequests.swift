import Octets
import ServerCore
import StrictJSON

/// Authorization requests that a client sends before the browser (RFC 9126).
struct PushedRequests: Sendable {
    /// Beginning of every `request_uri`.
    static let prefix = "urn:ietf:params:oauth:request_uri:"

    let parts: ProviderParts

    /// Keeps the request of an authenticated client; the answer says under which name.
    func push(_ fields: OpenIDFields, of client: RegisteredClient) async throws(OpenIDRefusal) -> [UInt8] {
        guard fields["request_uri"] == nil else { throw OpenIDRefusal(.invalidRequest, field: "request_uri") }
        let reader = AuthorizationRequestReader(client: client, isPushed: true)
        let parameters = try reader.parameters(in: fields, redirect: try reader.redirect(in: fields))
        let name = parts.secret()
        let lifetime = parts.settings.pushedRequestLifetime
        let end = parts.now + lifetime
        let hash = PushedRequestHash(of: name.reveal().utf8)
        try await parts.transaction { transaction throws(ServerTransactionFailure) in
            try transaction.insert(parameters, pushedAs: hash, until: end)
        }
        return JSONWriter.write(
            .object([
                "request_uri": .string(Self.prefix + name.reveal()),
                "expires_in": .integer(lifetime.components.seconds),
            ]))
    }

    /// The request of a name, once and for its client only; it is gone afterwards in any case.
    func take(_ uri: String, of client: RegisteredClient) async throws(OpenIDRefusal) -> AuthorizationParameters {
        guard uri.utf8.starts(with: Self.prefix.utf8) else {
            throw OpenIDRefusal(.requestURINotSupported, field: "request_uri")
        }
        let hash = PushedRequestHash(of: uri.utf8.dropFirst(Self.prefix.utf8.count))
        let now = parts.now
        let parameters = try await parts.transaction {
            transaction throws(ServerTransactionFailure) -> AuthorizationParameters? in
            guard let found = try transaction.takePushedRequest(hash), found.parameters.client == client.id,
                now < found.expiresAt
            else { return nil }
            return found.parameters
        }
        guard let parameters, client.redirects.contains(parameters.redirect) else {
            throw OpenIDRefusal(.invalidRequestURI, field: "request_uri")
        }
        return parameters
    }
}

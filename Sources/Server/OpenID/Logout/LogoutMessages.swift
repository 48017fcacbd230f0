import JOSE
import Octets
package import ServerCore
import StrictJSON

/// Logout tokens for clients (OpenID Connect Back-Channel Logout 1.0).
package struct LogoutMessages: OutgoingRequestMaker {
    /// The `typ` of logout tokens (2.4): no ID token passes for one, and none for an ID token.
    static let type = "logout+jwt"
    private static let event = "http://schemas.openid.net/event/backchannel-logout"
    /// Time between issue and expiry; a receiver remembers `jti` for as long.
    private static let lifetime: Duration = .seconds(120)

    package let kinds: Set<OutgoingMessage.Kind> = [.logout]

    let clients: any ClientRegistry
    let keys: ProviderKeys
    let wall: any WallClock

    /// POST of a logout token (2.5); nil for a client that is gone or has no address, and for content of another form.
    package func request(
        for message: OutgoingMessage, at now: Timestamp
    ) async throws(ServerError) -> OutgoingRequest? {
        guard let id = ClientID(message.destination), let client = try await clients.client(id),
            let address = client.logoutAddress,
            let content = try? JSONParser.parse(message.content, limits: .body).asObject(),
            let subject = try? content.string("sub")
        else { return nil }
        let time = wall.now()
        let members: JSONObject = [
            "iss": .string(keys.issuer), "sub": .string(subject), "aud": .string(client.id.text),
            "iat": .integer(time.seconds), "exp": .integer((time + Self.lifetime).seconds),
            "jti": .string(message.id.text), "events": .object([Self.event: .object([:])]),
            "sid": content["sid"],
        ]
        guard let claims = try? JWTClaims(members) else { throw .signingFailed }
        let signed = try await keys.signer(for: client.idTokenAlgorithm).token(claims, type: Self.type)
        return OutgoingRequest(
            address: address,
            fields: [(name: "Content-Type", value: Sensitive("application/x-www-form-urlencoded"))],
            body: Array(FormPairs.encode([(name: "logout_token", value: signed)]).utf8))
    }

    /// Nothing: a notice has no state beside its message.
    package func ended(_ message: OutgoingMessage, isDelivered: Bool) async throws(ServerError) {}
}

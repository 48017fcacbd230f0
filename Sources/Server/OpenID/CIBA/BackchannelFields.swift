import Octets
import ServerCore

/// Fields of a request of CIBA, read and judged (CIBA Core 1.0, 7.1).
struct BackchannelFields: Sendable {
    /// User that a request names.
    enum Hint: Sendable {
        case username(String)
        case idToken(String)
    }

    /// Lengths of a `binding_message` in characters.
    static let messageCounts = 1...64
    private static let tokenLimit = 1_024
    /// Least life of a request in seconds.
    private static let leastExpiry: Int64 = 10

    let hint: Hint
    let scopes: Set<ScopeName>
    let assurance: [Assurance]
    let bindingMessage: String?
    let lifetime: Duration
    private let delivery: BackchannelNotification.Delivery?
    private let token: Sensitive<String>?

    /// Reads the fields of a client; throws ``OpenIDRefusal`` with the field that is wrong.
    init(
        _ fields: OpenIDFields, for client: RegisteredClient, _ delivery: RegisteredClient.BackchannelDelivery,
        longest: Duration
    ) throws(OpenIDRefusal) {
        guard fields["request"] == nil else { throw OpenIDRefusal(.requestNotSupported, field: "request") }
        hint = try Self.hint(fields)
        scopes = try Self.scopes(fields["scope"], for: client)
        assurance = Self.assurance(fields["acr_values"])
        bindingMessage = fields["binding_message"]
        if let bindingMessage, !Self.isMessage(bindingMessage) {
            throw OpenIDRefusal(.invalidBindingMessage, field: "binding_message")
        }
        lifetime = try Self.lifetime(fields["requested_expiry"], longest: longest)
        switch delivery {
        case .poll: self.delivery = nil
        case .ping: self.delivery = .ping
        case .push: self.delivery = .push
        }
        token = try self.delivery == nil ? nil : Sensitive(Self.token(fields))
    }

    init(
        keycloak username: String, bearer: BackchannelBearer, message: String?, assurance: [Assurance],
        lifetime: Duration
    ) {
        hint = .username(username)
        scopes = [.openID]
        self.assurance = assurance
        bindingMessage = message
        self.lifetime = lifetime
        delivery = .keycloak
        token = Sensitive(bearer.reveal())
    }

    /// Notification of the client; nil for one that polls.
    func notification(_ requestID: String) -> BackchannelNotification? {
        guard let delivery, let token else { return nil }
        return BackchannelNotification(delivery: delivery, token: token.reveal(), requestID: requestID)
    }

    /// Whether a text may be shown and signed: a line of 1 to 64 characters.
    static func isMessage(_ text: String) -> Bool { ShownText.isLine(text, messageCounts) }

    /// Values of `acr_values` that are known; others are ignored (OpenID Connect Core 1.0, 3.1.2.1).
    static func assurance(_ text: String?) -> [Assurance] {
        (text ?? "").split(separator: " ").compactMap { Assurance(rawValue: String($0)) }
    }

    private static func hint(_ fields: OpenIDFields) throws(OpenIDRefusal) -> Hint {
        guard fields["login_hint_token"] == nil else { throw OpenIDRefusal(.invalidRequest, field: "login_hint_token") }
        switch (fields["login_hint"], fields["id_token_hint"]) {
        case (let name?, nil): return .username(name)
        case (nil, let token?): return .idToken(token)
        case (nil, nil): throw OpenIDRefusal(.invalidRequest, field: "login_hint")
        default: throw OpenIDRefusal(.invalidRequest, field: "id_token_hint")
        }
    }

    private static func scopes(
        _ text: String?, for client: RegisteredClient
    ) throws(OpenIDRefusal) -> Set<ScopeName> {
        let scopes = Set((text ?? "").split(separator: " ").compactMap { ScopeName(rawValue: String($0)) })
        guard scopes.contains(.openID) else { throw OpenIDRefusal(.invalidScope, field: "scope") }
        return client.permitted(scopes)
    }

    private static func lifetime(_ text: String?, longest: Duration) throws(OpenIDRefusal) -> Duration {
        guard let text else { return longest }
        guard text.utf8.count <= 4, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let seconds = Int64(text),
            seconds > 0
        else { throw OpenIDRefusal(.invalidRequest, field: "requested_expiry") }
        return min(.seconds(max(seconds, leastExpiry)), longest)
    }

    /// Token of RFC 6750, 2.1, at most 1,024 octets.
    private static func token(_ fields: OpenIDFields) throws(OpenIDRefusal) -> String {
        guard let token = fields["client_notification_token"], token.utf8.count <= tokenLimit,
            isToken68(token)
        else { throw OpenIDRefusal(.invalidRequest, field: "client_notification_token") }
        return token
    }

    private static func isToken68(_ text: String) -> Bool {
        var body = Array(text.utf8)
        while body.last == UInt8(ascii: "=") { body.removeLast() }
        return !body.isEmpty
            && body.allSatisfy { octet in
                switch octet {
                case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "a")...UInt8(ascii: "z"):
                    true
                default: "-._~+/".utf8.contains(octet)
                }
            }
    }
}

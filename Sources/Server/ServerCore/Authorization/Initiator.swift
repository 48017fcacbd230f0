/// Initiator of an out-of-band ceremony: only the same one may replace it by another.
package enum Initiator: Sendable, Hashable {
    /// Unknown; no other initiator replaces such a ceremony.
    case anonymous
    /// A system that holds an access key of this name.
    case accessKey(AccessKeyName)
    /// A client of the OpenID Provider: its sign-in page, or its request by CIBA.
    case client(ClientID)
    /// A user, for the own account.
    case user(UserID)
    /// Operator with access to the master key, by a command on the server's machine.
    case administrator

    /// Whether a ceremony that `other` began may make room for one of this initiator.
    package func maySupersede(_ other: Initiator) -> Bool {
        switch self {
        case .anonymous: false
        case .accessKey, .client, .user, .administrator: self == other
        }
    }

    package var text: String {
        switch self {
        case .anonymous: "anonymous"
        case .accessKey(let name): "key:" + name.text
        case .client(let id): "client:" + id.text
        case .user(let id): "user:" + id.text
        case .administrator: "administrator"
        }
    }

    package init?(stored text: String) {
        if text == "anonymous" {
            self = .anonymous
        } else if text == "administrator" {
            self = .administrator
        } else if text.utf8.starts(with: "key:".utf8), let name = AccessKeyName(String(text.dropFirst(4))) {
            self = .accessKey(name)
        } else if text.utf8.starts(with: "client:".utf8), let id = ClientID(String(text.dropFirst(7))) {
            self = .client(id)
        } else if text.utf8.starts(with: "user:".utf8), let id = UserID(text: String(text.dropFirst(5))) {
            self = .user(id)
        } else {
            return nil
        }
    }
}

/// Authorization of a request to begin or to follow a ceremony.
package enum InitiatorAuthorization: Sendable, Hashable {
    case absent
    case invalid
    case accessKey(AccessKeyName)
    /// Nothing over the network: this server, for a client that it has authenticated.
    case client(ClientID)
    /// Nothing over the network: this server, for a visitor of a client's sign-in page who has proved nothing.
    case page(ClientID)
    /// A token or cookie of a user.
    case user(RequestAuthorization.Login)
    /// Nothing over the network: this server, for a user whose recovery has waited long enough.
    case recovery(UserID)
    /// Nothing over the network: a command on the server's machine, run by an operator with access to the master key.
    case administrator

    /// Whether the sender has proved nothing, so that what it begins must keep no other sender from the user.
    package var isStranger: Bool {
        switch self {
        case .absent, .invalid, .page: true
        case .accessKey, .client, .user, .recovery, .administrator: false
        }
    }
}

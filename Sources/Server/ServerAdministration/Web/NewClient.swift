import Octets
import OpenID
import ServerCore
import StrictJSON

/// Client that an administrator adds: members of ``ClientDescription``, and the proof.
struct NewClient: Sendable {
    let client: RegisteredClient
    /// Fresh secret, which is shown once; nil for another proof.
    let secret: Sensitive<String>?

    private static let members: Set<String> = [
        "id", "name", "proof", "keys", "redirectAddresses", "logoutRedirectAddresses", "logoutAddress", "ciba",
        "idTokenAlgorithm", "scopes", "requirePKCE", "requireDPoP", "requirePushedRequests", "refresh",
        "logoutEndsOfflineAccess",
        "confirmation", "origins",
    ]
    private static let listCount = 20

    init(_ call: AdministrationCall, random: any RandomSource) throws(AdministrationRefusal) {
        let secret = Sensitive(Base64URL.encode(random.bytes(count: 32)))
        client = try call.read(Self.members) { members throws(JSONTypeError) in
            var client = RegisteredClient(
                id: try Self.value("id", in: members, ClientID.init),
                name: try Self.value("name", in: members, RegisteredClient.name),
                authentication: try Self.proof(in: members, secret))
            try Self.readAddresses(of: &client, in: members)
            try Self.readRights(of: &client, in: members)
            return client
        }
        if case .secret = client.authentication { self.secret = secret } else { self.secret = nil }
        if let rule = Self.brokenRule(client) { throw .rule(rule) }
    }

    private static func readAddresses(
        of client: inout RegisteredClient, in members: JSONObject
    ) throws(JSONTypeError) {
        client.redirects = try list("redirectAddresses", in: members, RedirectAddress.init)
        client.logoutRedirects = try list("logoutRedirectAddresses", in: members, RedirectAddress.init)
        client.origins = try list("origins", in: members) { text in
            RedirectAddress(text).flatMap { $0.origin == text ? $0.pageOrigin : nil }
        }
        client.logoutAddress = try optional("logoutAddress", in: members, OutgoingAddress.init)
        client.backchannel = try optional("ciba", in: members, delivery)
    }

    private static func readRights(
        of client: inout RegisteredClient, in members: JSONObject
    ) throws(JSONTypeError) {
        client.idTokenAlgorithm =
            try optional("idTokenAlgorithm", in: members) { .init(rawValue: $0) } ?? .rs256
        client.attributeScopes = ScopeName.ofNewClients
        if members["scopes"] != nil {
            client.attributeScopes = Set(
                try list("scopes", in: members) { text in ScopeName.ofAttributes.first { $0.rawValue == text } })
        }
        client.requiresPKCE = try flag("requirePKCE", in: members)
        client.requiresKeyProof = try flag("requireDPoP", in: members)
        client.requiresPushedRequests = try flag("requirePushedRequests", in: members)
        client.mayRefresh = try flag("refresh", in: members)
        client.endsOfflineAccess = try flag("logoutEndsOfflineAccess", in: members)
        client.mayAskForConfirmation = try flag("confirmation", in: members)
    }

    /// Proof by the words of ``ClientDescription``: `secret`, `none`, `keys` with a key set, or the address of one.
    private static func proof(
        in members: JSONObject, _ secret: Sensitive<String>
    ) throws(JSONTypeError) -> RegisteredClient.Authentication {
        let keys = try members.optional("keys") { value throws(JSONTypeError) in
            let octets = JSONWriter.write(.object(try value.asObject()))
            guard KeySetFault(of: octets) == nil else { throw JSONTypeError(.invalidForm) }
            return octets
        }
        return try value("proof", in: members) { word -> RegisteredClient.Authentication? in
            switch (word, keys) {
            case ("secret", nil): .secret(ClientSecretHash(of: secret.reveal().utf8))
            case ("none", nil): RegisteredClient.Authentication.none
            case ("keys", let keys?): .privateKey(.document(keys))
            case (_, nil): OutgoingAddress(word).map { .privateKey(.address($0)) }
            default: nil
            }
        }
    }

    private static func delivery(_ text: String) -> RegisteredClient.BackchannelDelivery? {
        let words = text.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        if words == ["poll"] { return .poll }
        guard words.count == 2, let address = OutgoingAddress(words[1]) else { return nil }
        return words[0] == "ping" ? .ping(address) : words[0] == "push" ? .push(address) : nil
    }

    private static func brokenRule(_ client: RegisteredClient) -> String? {
        let isPublic = client.authentication == RegisteredClient.Authentication.none
        if isPublic, client.backchannel != nil || client.mayAskForConfirmation {
            return "ciba and confirmation need a client with a secret or keys"
        }
        if !isPublic, client.redirects.contains(where: \.isPrivate) {
            return "a scheme of an application needs proof none: another application could take the answer"
        }
        if client.requiresKeyProof, case .push? = client.backchannel {
            return "requireDPoP cannot be with ciba push, which delivers tokens without a proof"
        }
        return client.redirects.isEmpty && client.backchannel == nil
            ? "a client needs redirectAddresses or ciba" : nil
    }

    // MARK: - Members

    private static func value<Value>(
        _ name: String, in members: JSONObject, _ make: (String) -> Value?
    ) throws(JSONTypeError) -> Value {
        guard let value = try optional(name, in: members, make) else { throw JSONTypeError(path: [name], .missing) }
        return value
    }

    private static func optional<Value>(
        _ name: String, in members: JSONObject, _ make: (String) -> Value?
    ) throws(JSONTypeError) -> Value? {
        try members.optional(name) { value throws(JSONTypeError) in try made(value, make) }
    }

    private static func list<Value>(
        _ name: String, in members: JSONObject, _ make: (String) -> Value?
    ) throws(JSONTypeError) -> [Value] {
        let values = try members.optional(name) { value throws(JSONTypeError) in
            let values = try value.asArray()
            guard values.count <= listCount else { throw JSONTypeError(.outOfRange) }
            return try values.map { value throws(JSONTypeError) in try made(value, make) }
        }
        return values ?? []
    }

    private static func flag(_ name: String, in members: JSONObject) throws(JSONTypeError) -> Bool {
        try members.optional(name) { value throws(JSONTypeError) in try value.asBool() } ?? false
    }

    private static func made<Value>(
        _ value: JSONValue, _ make: (String) -> Value?
    ) throws(JSONTypeError) -> Value {
        guard let made = make(try value.asString()) else { throw JSONTypeError(.invalidForm) }
        return made
    }
}

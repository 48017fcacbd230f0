import Octets
import OpenID
import ServerCore
import StrictJSON

/// Members of a request that set settings of a client, by the names of ``ClientDescription``; what is not named keeps its value.
struct ClientMembers: Sendable {
    /// Members that a client has from the beginning, and keeps.
    static let ofNewClients: Set<String> = ["id", "proof", "keys"]
    static let names: Set<String> = [
        "name", "redirectAddresses", "logoutRedirectAddresses", "logoutAddress", "ciba", "idTokenAlgorithm", "scopes",
        "requirePKCE", "requireDPoP", "requirePushedRequests", "refresh", "logoutEndsOfflineAccess", "confirmation",
        "origins",
    ]

    let members: JSONObject

    /// Whether a setting is named.
    var setsSomething: Bool { members.members.contains { Self.names.contains($0.name) } }

    /// A new client, with the `secret` where its proof is one.
    func client(_ secret: Sensitive<String>) throws(AdministrationRefusal) -> RegisteredClient {
        guard let id = try value("id", ClientID.rule, ClientID.init) else { throw .malformed(["id"]) }
        guard members["name"] != nil else { throw .malformed(["name"]) }
        var client = RegisteredClient(id: id, name: "", authentication: try proof(secret))
        client.idTokenAlgorithm = .rs256
        client.attributeScopes = ScopeName.ofNewClients
        try apply(to: &client)
        return client
    }

    /// Writes what is named into a client; throws for the first value that breaks a rule, and for values that do together.
    func apply(to client: inout RegisteredClient) throws(AdministrationRefusal) {
        client.name = try value("name", RegisteredClient.nameRule, RegisteredClient.name) ?? client.name
        try applyAddresses(to: &client)
        client.idTokenAlgorithm =
            try value("idTokenAlgorithm", "RS256 or ES256") { .init(rawValue: $0) } ?? client.idTokenAlgorithm
        let scopes = try list("scopes", ScopeName.rule) { text in
            ScopeName.ofAttributes.first { $0.rawValue == text }
        }
        client.attributeScopes = scopes.map { Set($0) } ?? client.attributeScopes
        client.requiresPKCE = try flag("requirePKCE") ?? client.requiresPKCE
        client.requiresKeyProof = try flag("requireDPoP") ?? client.requiresKeyProof
        client.requiresPushedRequests = try flag("requirePushedRequests") ?? client.requiresPushedRequests
        client.mayRefresh = try flag("refresh") ?? client.mayRefresh
        client.endsOfflineAccess = try flag("logoutEndsOfflineAccess") ?? client.endsOfflineAccess
        client.mayAskForConfirmation = try flag("confirmation") ?? client.mayAskForConfirmation
        if let conflict = client.conflicts.first { throw .rule("\(conflict.rawValue) \(conflict.words)") }
        guard !client.redirects.isEmpty || client.backchannel != nil else {
            throw .rule("a client needs redirectAddresses or ciba")
        }
    }

    private func applyAddresses(to client: inout RegisteredClient) throws(AdministrationRefusal) {
        let (rule, make) = (RedirectAddress.strictRule, RedirectAddress.withoutStar)
        client.redirects = try list("redirectAddresses", rule, make) ?? client.redirects
        client.logoutRedirects = try list("logoutRedirectAddresses", rule, make) ?? client.logoutRedirects
        client.origins = try list("origins", RedirectAddress.originRule, RedirectAddress.pageOrigin) ?? client.origins
        client.logoutAddress =
            members["logoutAddress"] == .null
            ? nil : try value("logoutAddress", OutgoingAddress.rule, OutgoingAddress.init) ?? client.logoutAddress
        client.backchannel =
            members["ciba"] == .null
            ? nil
            : try value("ciba", "poll, ping ADDRESS or push ADDRESS, with \(OutgoingAddress.rule)", Self.delivery)
                ?? client.backchannel
    }

    /// Proof by the words of ``ClientDescription``: `secret`, `none`, `keys` with a key set, or the address of one.
    private func proof(
        _ secret: Sensitive<String>
    ) throws(AdministrationRefusal) -> RegisteredClient.Authentication {
        let keys = members["keys"].map { JSONWriter.write($0) }
        if let fault = keys.flatMap({ KeySetFault(of: $0) }) { throw .unfit("keys", fault.description) }
        let proof = try value("proof", "secret, none, keys with a key set (JWK), or \(OutgoingAddress.rule)") {
            word -> RegisteredClient.Authentication? in
            switch (word, keys) {
            case ("secret", nil): .secret(ClientSecretHash(of: secret.reveal().utf8))
            case ("none", nil): RegisteredClient.Authentication.none
            case ("keys", let keys?): .privateKey(.document(keys))
            case (_, nil): OutgoingAddress(word).map { .privateKey(.address($0)) }
            default: nil
            }
        }
        guard let proof else { throw .malformed(["proof"]) }
        return proof
    }

    private static func delivery(_ text: String) -> RegisteredClient.BackchannelDelivery? {
        let words = text.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        if words == ["poll"] { return .poll }
        guard words.count == 2, let address = OutgoingAddress(words[1]) else { return nil }
        return words[0] == "ping" ? .ping(address) : words[0] == "push" ? .push(address) : nil
    }

    // MARK: - Members

    private func value<Value>(
        _ name: String, _ rule: String, _ make: (String) -> Value?
    ) throws(AdministrationRefusal) -> Value? {
        guard let json = members[name] else { return nil }
        guard case .string(let text) = json, let value = make(text) else { throw .unfit(name, "must be \(rule)") }
        return value
    }

    private func list<Value>(
        _ name: String, _ rule: String, _ make: (String) -> Value?
    ) throws(AdministrationRefusal) -> [Value]? {
        guard let json = members[name] else { return nil }
        let values: [Value?]
        if case .array(let elements) = json {
            values = elements.map { if case .string(let text) = $0 { make(text) } else { nil } }
        } else {
            values = [nil]
        }
        let made = values.compactMap { $0 }
        guard made.count == values.count, made.count <= RegisteredClient.listCount else {
            throw .unfit(name, "has at most \(RegisteredClient.listCount) entries, each \(rule)")
        }
        return made
    }

    func flag(_ name: String) throws(AdministrationRefusal) -> Bool? {
        guard let json = members[name] else { return nil }
        guard case .bool(let flag) = json else { throw .unfit(name, "must be true or false") }
        return flag
    }
}

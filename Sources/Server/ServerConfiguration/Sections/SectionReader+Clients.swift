import OpenID
import ServerCore
import StrictYAML

extension SectionReader {
    mutating func readClients(audience: String?) -> [RegisteredClient] {
        var names: Set<ClientID> = []
        return sectionList("clients") { section -> RegisteredClient? in
            guard let client = section.readClient() else { return nil }
            if !names.insert(client.id).inserted {
                section.report("id", .notAllowed(rule: "there is another client of this name"))
            }
            if let conflict = RegisteredClient.nameConflict(client.id, audience: audience) {
                section.report("id", .notAllowed(rule: conflict))
            }
            return client
        }.compactMap { $0 }
    }

    private mutating func readClient() -> RegisteredClient? {
        let id = value("id") { setting throws(Setting.Mismatch) in try setting.asClientID() }
        let name = value("name") { setting throws(Setting.Mismatch) in try setting.asClientName() }
        for key in ["id", "name"] where !has(key) { report(key, .missing) }
        let authentication = readAuthentication()
        let redirects = readAddresses("redirect-addresses")
        let logoutRedirects = readAddresses("logout-redirect-addresses")
        let logoutAddress = readOutgoingAddress("logout-address")
        let backchannel = readBackchannel()
        let algorithm = choice("id-token-algorithm", default: RegisteredClient.IDTokenAlgorithm.rs256)
        let requiresPKCE = flag("require-pkce", default: false)
        let requiresKeyProof = flag("require-dpop", default: false)
        let requiresPushedRequests = flag("require-pushed-requests", default: false)
        let attributeScopes = readAttributeScopes()
        let mayRefresh = flag("refresh", default: false)
        let endsOfflineAccess = flag("logout-ends-offline-access", default: false)
        let mayAskForConfirmation = flag("confirmation", default: false)
        let origins = values("origins") { setting throws(Setting.Mismatch) in try setting.asPageOrigin() } ?? []
        requireFew(origins.count, "origins")
        guard let id, let name, let authentication else { return nil }
        var client = RegisteredClient(id: id, name: name, authentication: authentication)
        client.redirects = redirects
        client.logoutRedirects = logoutRedirects
        client.logoutAddress = logoutAddress
        client.backchannel = backchannel
        client.idTokenAlgorithm = algorithm
        client.requiresPKCE = requiresPKCE
        client.requiresKeyProof = requiresKeyProof
        client.requiresPushedRequests = requiresPushedRequests
        client.attributeScopes = attributeScopes
        client.mayRefresh = mayRefresh
        client.endsOfflineAccess = endsOfflineAccess
        client.mayAskForConfirmation = mayAskForConfirmation
        client.origins = origins
        for conflict in client.conflicts { report(conflict.key, .notAllowed(rule: conflict.words)) }
        return client
    }

    private mutating func requireFew(_ count: Int, _ key: String) {
        guard count > RegisteredClient.listCount else { return }
        report(key, .notAllowed(rule: "must have at most \(RegisteredClient.listCount) entries"))
    }

    /// The list `scopes`; where there is none the client has what a new one has.
    private mutating func readAttributeScopes() -> Set<ScopeName> {
        let scopes = values("scopes") { setting throws(Setting.Mismatch) in try setting.asAttributeScope() }
        return scopes.map { Set($0) } ?? ScopeName.ofNewClients
    }

    // MARK: - Proof

    /// Exactly one of `secret-file`, `key-set-file`, `key-set-address` and `public`.
    private mutating func readAuthentication() -> RegisteredClient.Authentication? {
        let keys = ["secret-file", "key-set-file", "key-set-address", "public"].filter { has($0) }
        let secret = readClientSecret()
        let keySet = readKeySet()
        let address = readOutgoingAddress("key-set-address")
        let isPublic = flag("public", default: false)
        guard keys.count == 1, let key = keys.first else {
            report(
                keys.last ?? "secret-file",
                .notAllowed(rule: "one of secret-file, key-set-file, key-set-address and public has to be given"))
            return nil
        }
        guard key != "public" || isPublic else {
            report("public", .notAllowed(rule: "must be true, or there must be a secret or a key set"))
            return nil
        }
        if isPublic { return RegisteredClient.Authentication.none }
        return secret ?? keySet ?? address.map { .privateKey(.address($0)) }
    }

    private mutating func readClientSecret() -> RegisteredClient.Authentication? {
        guard let file = secretFilePath("secret-file"), let content = session.source.files.contents(of: file) else {
            return nil
        }
        guard let text = Self.secretText(content), (32...512).contains(text.utf8.count) else {
            report("secret-file", .notAllowed(rule: "must hold a secret of 32 to 512 characters"))
            return nil
        }
        return .secret(ClientSecretHash(of: text.utf8))
    }

    private mutating func readKeySet() -> RegisteredClient.Authentication? {
        guard let file = filePath("key-set-file"), let content = session.source.files.contents(of: file) else {
            return nil
        }
        if let fault = KeySetFault(of: content) {
            report("key-set-file", .notAllowed(rule: fault.description))
            return nil
        }
        return .privateKey(.document(content))
    }

    // MARK: - Addresses

    private mutating func readAddresses(_ key: String) -> [RedirectAddress] {
        let addresses = values(key) { setting throws(Setting.Mismatch) in try setting.asRedirectAddress() } ?? []
        requireFew(addresses.count, key)
        return addresses
    }

    private mutating func readOutgoingAddress(_ key: String) -> OutgoingAddress? {
        value(key) { setting throws(Setting.Mismatch) in try setting.asOutgoingAddress() }
    }

    private mutating func readBackchannel() -> RegisteredClient.BackchannelDelivery? {
        let mode = value("ciba") { setting throws(Setting.Mismatch) in try setting.asChoice(BackchannelMode.self) }
        let address = readOutgoingAddress("ciba-address")
        if mode == .poll || mode == nil {
            if has("ciba-address") { report("ciba-address", .notAllowed(rule: "belongs to ping and push only")) }
            return mode == nil ? nil : .poll
        }
        guard let address else {
            if !has("ciba-address") { report("ciba-address", .missing) }
            return nil
        }
        return mode == .ping ? .ping(address) : .push(address)
    }
}

/// The words of `ciba`.
private enum BackchannelMode: String, CaseIterable {
    case poll, ping, push
}

extension Setting {
    fileprivate func asClientID() throws(Mismatch) -> ClientID {
        guard let id = ClientID(try asText()) else {
            throw .rule("must be \(ClientID.rule)")
        }
        return id
    }

    fileprivate func asClientName() throws(Mismatch) -> String {
        guard let name = RegisteredClient.name(try asText()) else {
            throw .rule("must be \(RegisteredClient.nameRule)")
        }
        return name
    }

    fileprivate func asRedirectAddress() throws(Mismatch) -> RedirectAddress {
        guard let address = RedirectAddress(try asText()) else {
            throw .rule("must be \(RedirectAddress.rule)")
        }
        return address
    }

    fileprivate func asAttributeScope() throws(Mismatch) -> ScopeName {
        guard let scope = ScopeName(rawValue: try asText()), ScopeName.ofAttributes.contains(scope) else {
            throw .rule("must be \(ScopeName.rule)")
        }
        return scope
    }

    /// The value as the origin of pages, such as `https://shop.example.com`.
    fileprivate func asPageOrigin() throws(Mismatch) -> String {
        guard let origin = RedirectAddress.pageOrigin(try asText()) else {
            throw .rule("must be \(RedirectAddress.originRule)")
        }
        return origin
    }
}

extension RegisteredClient.Conflict {
    fileprivate var key: String {
        switch self {
        case .redirectAddresses: "redirect-addresses"
        case .requireDPoP: "require-dpop"
        case .ciba, .confirmation: rawValue
        }
    }
}

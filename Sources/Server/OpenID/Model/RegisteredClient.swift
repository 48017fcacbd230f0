package import ServerCore

/// Client of the OpenID Provider (RFC 6749, 2): a web site or application that signs people in with this server.
///
/// Clients stand in the configuration (`openid.clients`) or in the database (`signet-server client add`). A name may
/// stand in only one of them: the configuration takes precedence, and a start with both is refused.
package struct RegisteredClient: Sendable, Hashable {
    /// Rule of names, in words.
    package static let nameRule = "1 to 64 visible characters, without blanks at the ends or in a row"

    /// Clients of the server itself, under which the page of the devices and the console sign people in.
    package static let (devicesName, consoleName) = ("my-devices", "console")
    /// Most addresses, and most origins, of one kind.
    package static let listCount = 20

    /// The name that people are shown; nil for a text that breaks the rule of ``ShownText``.
    package static func name(_ text: String) -> String? { ShownText.line(text, 1...64) }

    /// Way in which a client proves who it is at the token endpoint (OpenID Connect Core 1.0, 9).
    package enum Authentication: Sendable, Hashable {
        /// A secret, by header (`client_secret_basic`) or form (`client_secret_post`); only its hash is kept.
        case secret(ClientSecretHash)
        /// A JWT signed by a key of the client (`private_key_jwt`); its `jti` counts once.
        case privateKey(KeySource)
        /// Nothing (`none`): an application that can keep no secret; PKCE and refresh rotation bind what it gets.
        case none
    }

    /// Source of the public keys of a client.
    package enum KeySource: Sendable, Hashable {
        /// A key set as JSON (RFC 7517, 5), at most 16 KiB.
        case document([UInt8])
        /// An address from which the key set is fetched by the rules of ``OutgoingRules``.
        case address(OutgoingAddress)
    }

    /// Delivery of tokens of CIBA (OpenID Connect CIBA Core 1.0, 5).
    package enum BackchannelDelivery: Sendable, Hashable {
        case poll
        case ping(OutgoingAddress)
        case push(OutgoingAddress)
    }

    /// Algorithm of the ID tokens of a client (OpenID Connect Core 1.0, 2).
    package enum IDTokenAlgorithm: String, Sendable, Hashable, CaseIterable {
        case es256 = "ES256"
        case rs256 = "RS256"
    }

    /// Name of the client in requests, tokens, audit and configuration.
    package let id: ClientID
    /// Name that people are shown, 1 to 64 characters, the same for all languages.
    package var name: String
    package var authentication: Authentication
    /// Addresses to which a browser may be sent back, compared by ``RedirectAddress/named(_:)``.
    ///
    /// At most 20.
    package var redirects: [RedirectAddress] = []
    /// Addresses to which a browser may be sent after a logout; compared octet by octet.
    ///
    /// At most 20.
    package var logoutRedirects: [RedirectAddress] = []
    /// Address of back-channel logouts (OpenID Connect Back-Channel Logout 1.0, 2.2); nil: the client is told of none.
    package var logoutAddress: OutgoingAddress?
    /// Delivery of CIBA; nil: the client may not begin one.
    package var backchannel: BackchannelDelivery?
    package var idTokenAlgorithm = IDTokenAlgorithm.es256
    /// Whether authorization requests have to bring PKCE; a client without a proof always has to.
    package var requiresPKCE = false
    /// Whether its tokens are always bound to a key of the device (`dpop_bound_access_tokens`; RFC 9449, 5.2).
    package var requiresKeyProof = false
    /// Whether authorization requests have to be pushed (RFC 9126, 6).
    package var requiresPushedRequests = false
    /// Scopes of ``ScopeName/ofAttributes`` that the client may have.
    package var attributeScopes: Set<ScopeName> = []
    /// Whether the client may ask for refresh tokens (`offline_access`).
    package var mayRefresh = false
    /// Whether a logout of the browser ends also what was granted for use without the user (`offline_access`).
    package var endsOfflineAccess = false
    /// Whether the client may ask that a text is confirmed (``AuthorizationParameters/text``); never one without a
    /// proof, as any attacker could push a text in its name.
    package var mayAskForConfirmation = false
    /// Origins whose pages may show `signet-web.js` for this client, such as `https://shop.example.com`.
    ///
    /// At most 20.
    package var origins: [String] = []

    /// Origins whose pages may read answers to this client, as browsers write them; none but for a client without a proof,
    /// which may run in a browser.
    package var pageOrigins: Set<String> {
        guard authentication == Authentication.none else { return [] }
        return Set(redirects.compactMap(\.pageOrigin) + origins)
    }

    /// The scopes, of the ones asked for, that the client may have; others are ignored (RFC 6749, 3.3).
    package func permitted(_ asked: Set<ScopeName>) -> Set<ScopeName> {
        asked.intersection(attributeScopes.union(mayRefresh ? [.openID, .offlineAccess] : [.openID]))
    }

    /// Setting that cannot be as it is beside the others, by its name in the administration API.
    package enum Conflict: String, Sendable, Hashable, CaseIterable {
        case redirectAddresses, ciba, confirmation, requireDPoP

        /// The rule, in words that follow the name of the setting.
        package var words: String {
            switch self {
            case .redirectAddresses:
                "may have the scheme of an application for public clients only: another application could take the answer"
            case .ciba, .confirmation: "needs a client with a secret or keys, not a public one"
            case .requireDPoP: "cannot be true with ciba push, which delivers tokens without a proof"
            }
        }
    }

    /// Settings that the rules do not allow together; empty for a client that may be registered.
    package var conflicts: [Conflict] {
        var found: [Conflict] = []
        if authentication == Authentication.none {
            if backchannel != nil { found.append(.ciba) }
            if mayAskForConfirmation { found.append(.confirmation) }
        } else if redirects.contains(where: \.isPrivate) {
            found.append(.redirectAddresses)
        }
        if requiresKeyProof, case .push? = backchannel { found.append(.requireDPoP) }
        return found
    }

    /// The rule that keeps clients from a name, in words that follow it; nil for a name that one may have.
    package static func nameConflict(_ id: ClientID, audience: String?) -> String? {
        [audience, devicesName, consoleName].contains(id.text)
            ? "is tokens.audience or a name of the server, so that tokens could be mistaken" : nil
    }

    /// Creates a client; what is not named has the strictest value.
    package init(id: ClientID, name: String, authentication: Authentication) {
        self.id = id
        self.name = name
        self.authentication = authentication
    }
}

/// Clients by their names, wherever they are registered.
package protocol ClientRegistry: Sendable {
    /// The client of this name; nil when there is none or it is disabled.
    ///
    /// Throws ``ServerError/storageUnavailable``. An answer from memory is at most ten seconds old.
    func client(_ id: ClientID) async throws(ServerError) -> RegisteredClient?

    /// Origins of all clients whose pages may read answers (``RegisteredClient/pageOrigins``).
    ///
    /// Throws ``ServerError/storageUnavailable``. An answer from memory is at most ten seconds old.
    func pageOrigins() async throws(ServerError) -> Set<String>
}

extension ClientRegistry {
    /// The client of a name that came from outside; nil when there is none.
    func client(named name: String?) async throws(OpenIDRefusal) -> RegisteredClient? {
        guard let id = name.flatMap(ClientID.init) else { return nil }
        do throws(ServerError) {
            return try await client(id)
        } catch {
            throw OpenIDRefusal(error)
        }
    }
}

import ArgumentParser
import StrictJSON

/// Settings of a client on the command line; what is not named keeps its value.
struct ClientSettings: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp("Address to which browsers are sent back, exactly; repeatable.", valueName: "url"))
    var redirect: [String] = []

    @Option(
        name: .long,
        help: ArgumentHelp("Address to which browsers are sent after a logout; repeatable.", valueName: "url"))
    var logoutRedirect: [String] = []

    @Option(name: .long, help: ArgumentHelp("Address to notify of logouts.", valueName: "url"))
    var logoutAddress: String?

    @Option(name: .long, help: "Delivery of CIBA: poll, ping or push.")
    var ciba: ClientSettingsDelivery?

    @Option(name: .long, help: ArgumentHelp("Address for ping and push.", valueName: "url"))
    var cibaAddress: String?

    @Option(
        name: .long,
        help: ArgumentHelp("Algorithm of ID tokens: RS256 (default of a new client) or ES256.", valueName: "name"))
    var idTokenAlgorithm: String?

    @Flag(
        name: .customLong("require-pkce"), inversion: .prefixedNo,
        help: "Require PKCE even with a nonce; a --public client always needs it.")
    var requirePKCE: Bool?

    @Flag(
        name: .customLong("require-dpop"), inversion: .prefixedNo,
        help: "Bind tokens to a key of the device always (DPoP).")
    var requireDPoP: Bool?

    @Flag(name: .long, inversion: .prefixedNo, help: "Require pushed authorization requests.")
    var requirePushedRequests: Bool?

    @Option(
        name: .long,
        help: ArgumentHelp(
            """
            Attributes that the client may ask for: profile, email, groups, or none; repeatable, or a list with commas. \
            A new client has profile,email.
            """, valueName: "scope"))
    var scope: [String] = []

    @Flag(name: .long, inversion: .prefixedNo, help: "Issue refresh tokens to the client.")
    var refresh: Bool?

    @Flag(
        name: .long, inversion: .prefixedNo,
        help: "End refresh tokens for use without the user (offline_access) at a logout, too.")
    var logoutEndsOfflineAccess: Bool?

    @Flag(name: .long, inversion: .prefixedNo, help: "Let the client have texts confirmed.")
    var confirmation: Bool?

    @Option(
        name: .long, help: ArgumentHelp("Origin of pages that show <signet-sign-in>; repeatable.", valueName: "origin"))
    var origin: [String] = []

    func validate() throws {
        guard (ciba == .ping || ciba == .push) == (cibaAddress != nil) else {
            throw ValidationError("--ciba-address goes with --ciba ping and push, which need it.")
        }
        guard scope.isEmpty || !scopes.isEmpty else {
            throw ValidationError("--scope takes profile, email and groups, or none.")
        }
    }

    private var scopes: [String] { scope.flatMap { $0.split { $0 == "," || $0 == " " } }.map(String.init) }

    /// Members of a request, of which the server judges the values.
    var members: [JSONObject.Member] {
        let lists = [
            ("redirectAddresses", redirect), ("logoutRedirectAddresses", logoutRedirect), ("origins", origin),
            // Every client has openid, and lists in documentation begin with it.
            ("scopes", scopes == ["none"] ? [] : scopes.filter { $0 != "openid" }),
        ]
        let delivery = ciba.map { [$0.rawValue, cibaAddress].compactMap(\.self).joined(separator: " ") }
        let texts = [("logoutAddress", logoutAddress), ("ciba", delivery), ("idTokenAlgorithm", idTokenAlgorithm)]
        let flags = [
            ("requirePKCE", requirePKCE), ("requireDPoP", requireDPoP),
            ("requirePushedRequests", requirePushedRequests),
            ("refresh", refresh), ("logoutEndsOfflineAccess", logoutEndsOfflineAccess), ("confirmation", confirmation),
        ]
        return lists.filter { !$0.1.isEmpty || $0.0 == "scopes" && !scope.isEmpty }.map { name, list in
            .init(name, .array(list.map { .string($0) }))
        }
            + texts.compactMap { name, text in text.map { .init(name, .string($0)) } }
            + flags.compactMap { name, flag in flag.map { .init(name, .bool($0)) } }
    }
}

enum ClientSettingsDelivery: String, ExpressibleByArgument, CaseIterable {
    case poll, ping, push
}

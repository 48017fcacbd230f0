import ArgumentParser
import CommandSupport
import OpenID
import ServerCore

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

    /// Writes what was named into a client; throws a named refusal for the first value that breaks a rule.
    func apply(to client: inout RegisteredClient) throws(CommandFailure) {
        if !redirect.isEmpty { client.redirects = try Self.addresses(redirect, "--redirect") }
        if !logoutRedirect.isEmpty { client.logoutRedirects = try Self.addresses(logoutRedirect, "--logout-redirect") }
        if let logoutAddress { client.logoutAddress = try Self.outgoing(logoutAddress, "--logout-address") }
        if let ciba { client.backchannel = try delivery(ciba) }
        if let idTokenAlgorithm {
            guard let algorithm = RegisteredClient.IDTokenAlgorithm(rawValue: idTokenAlgorithm) else {
                throw .refused("invalidAlgorithm", "--id-token-algorithm takes ES256 and RS256")
            }
            client.idTokenAlgorithm = algorithm
        }
        client.requiresPKCE = requirePKCE ?? client.requiresPKCE
        client.requiresKeyProof = requireDPoP ?? client.requiresKeyProof
        client.requiresPushedRequests = requirePushedRequests ?? client.requiresPushedRequests
        if !scope.isEmpty { client.attributeScopes = try Self.scopes(scope) }
        client.mayRefresh = refresh ?? client.mayRefresh
        client.endsOfflineAccess = logoutEndsOfflineAccess ?? client.endsOfflineAccess
        client.mayAskForConfirmation = confirmation ?? client.mayAskForConfirmation
        if !origin.isEmpty { client.origins = try Self.origins(origin) }
        if client.authentication == .none, client.backchannel != nil || client.mayAskForConfirmation {
            throw .refused(
                "publicClient", "CIBA and confirmations need a client with a secret or keys, not a --public one")
        }
        if client.authentication != .none, client.redirects.contains(where: \.isPrivate) {
            throw .refused(
                "invalidRedirect",
                "--redirect takes the scheme of an application only with --public: another application could take the answer"
            )
        }
        if client.requiresKeyProof, case .push? = client.backchannel {
            throw .refused(
                "dpopWithPush", "--require-dpop cannot be with --ciba push, which delivers tokens without a proof")
        }
        guard !client.redirects.isEmpty || client.backchannel != nil else {
            throw .refused("redirectMissing", "a client needs --redirect or --ciba")
        }
    }

    private func delivery(
        _ ciba: ClientSettingsDelivery
    ) throws(CommandFailure) -> RegisteredClient.BackchannelDelivery {
        guard ciba != .poll else { return .poll }
        guard let cibaAddress else { throw .refused("addressMissing", "ping and push need --ciba-address") }
        let address = try Self.outgoing(cibaAddress, "--ciba-address")
        return ciba == .ping ? .ping(address) : .push(address)
    }

    private static func addresses(_ texts: [String], _ option: String) throws(CommandFailure) -> [RedirectAddress] {
        guard texts.count <= 20 else { throw .refused("invalidRedirect", "\(option): at most 20 addresses") }
        var addresses: [RedirectAddress] = []
        for text in texts {
            guard !text.utf8.contains(UInt8(ascii: "*")) else {
                throw .refused(
                    "invalidRedirect",
                    "\(option) takes no *: addresses are compared octet by octet, so give each address of the site")
            }
            guard let address = RedirectAddress(text) else {
                throw .refused(
                    "invalidRedirect",
                    "\(option) takes an https address, http on this machine, or an application's own scheme such as "
                        + "com.example.app:/back, without user and fragment")
            }
            addresses.append(address)
        }
        return addresses
    }

    private static func scopes(_ texts: [String]) throws(CommandFailure) -> Set<ScopeName> {
        let words = texts.flatMap { $0.split { $0 == "," || $0 == " " } }.map(String.init)
        var scopes: Set<ScopeName> = []
        for word in words where word != "none" {
            switch ScopeName(rawValue: word) {
            case let scope? where ScopeName.ofAttributes.contains(scope): scopes.insert(scope)
            // Every client has it, and lists in documentation begin with it.
            case .openID?: break
            case .offlineAccess?:
                throw .refused("invalidScope", "--scope takes no offline_access; give --refresh for refresh tokens")
            default: throw .refused("invalidScope", "--scope takes profile, email and groups, or none")
            }
        }
        guard !words.isEmpty, scopes.isEmpty || !words.contains("none") else {
            throw .refused("invalidScope", "--scope takes profile, email and groups, or none")
        }
        return scopes
    }

    private static func origins(_ texts: [String]) throws(CommandFailure) -> [String] {
        let addresses = texts.compactMap { text in RedirectAddress(text).flatMap { $0.origin == text ? $0 : nil } }
        let origins = addresses.compactMap(\.pageOrigin)
        guard texts.count <= 20, origins.count == texts.count else {
            throw .refused("invalidOrigin", "--origin takes an https origin without path, at most 20 of them")
        }
        return origins
    }

    private static func outgoing(_ text: String, _ option: String) throws(CommandFailure) -> OutgoingAddress {
        guard let address = OutgoingAddress(text) else {
            throw .refused("invalidAddress", "\(option) takes an https address without user and fragment")
        }
        return address
    }
}

enum ClientSettingsDelivery: String, ExpressibleByArgument, CaseIterable {
    case poll, ping, push
}

import BackendAPI
import FoundationEssentials
import Octets
import OpenID
import OutgoingRequests
import ServerConfiguration
import ServerCore
import SignInPages

/// Review of what web sites use: OpenID Provider, receipts, webhooks, outgoing requests, relying-party API.
struct OpenIDReview {
    private let deployment: Deployment
    private let sites: OpenIDSettings
    private let clients: [RegisteredClient]

    init(_ deployment: Deployment) {
        self.deployment = deployment
        sites = deployment.webSites
        clients = deployment.webSites.openID?.clients ?? []
    }

    var mistakes: [String] { addressesWithStar + unreachableAddresses + uncoveredOrigins + unknownTexts }

    var warnings: [String] { providerWarnings + receiptWarnings + deliveryWarnings + gatewayWarnings }

    // MARK: - Mistakes

    private var addressesWithStar: [String] {
        clients.flatMap { client in
            let settings = [
                ("redirect-addresses", client.redirects.map(\.text)),
                ("logout-redirect-addresses", client.logoutRedirects.map(\.text)), ("origins", client.origins),
            ]
            return settings.flatMap { setting, addresses in
                addresses.filter { $0.contains("*") }.map { address in
                    "openid.clients: \(setting) of \(client.id.text) has \(address), and a star matches nothing: "
                        + "addresses are compared octet by octet; list each address"
                }
            }
        }
    }

    /// Receivers whose address is a number, or this machine, and may not be called; names are not looked up.
    private var unreachableAddresses: [String] {
        let hooks = sites.webhooks.map { ("webhooks: address of \($0.name.text)", $0.address) }
        let others = clients.flatMap { client in
            client.outgoingAddresses.map { ("openid.clients: \($0) of \(client.id.text)", $1) }
        }
        return (hooks + others).compactMap { setting, address in
            guard let number = address.number, !sites.outgoing.rules.allows(number) else { return nil }
            return "\(setting) is \(address.text), which the server never calls: \(number) is not an address of the "
                + "Internet; add its network to outgoing.allowed-networks, or name a public address"
        }
    }

    private var uncoveredOrigins: [String] {
        guard let passkeys = sites.openID?.passkeys else { return [] }
        let domain = passkeys.domain(at: deployment.origin)
        return passkeys.uncoveredOrigins(at: deployment.origin).map { origin in
            "openid.passkeys: no browser uses a passkey of \(domain) on \(origin): relying-party-id has to be the host of "
                + "the page, or a domain above it, and no number"
        }
    }

    private var unknownTexts: [String] {
        sites.pages.theme.unknownTexts.map {
            "pages.theme.texts.\($0): no page has such a text; there are \(PageTheme.textNames.joined(separator: ", "))"
        }
    }

    // MARK: - Warnings

    private var providerWarnings: [String] {
        guard sites.openID != nil else { return idleClientWarnings }
        let channels = deployment.uaf.dispatchers.map(\.channel)
        var warnings: [String] = []
        if !channels.contains(where: \.makesLinks) {
            warnings.append(
                "sign-in pages have no code to show: fido-uaf.dispatchers needs one of type link or link-png-qr-code")
        }
        guard clients.contains(where: { $0.backchannel != nil }) else { return warnings }
        if !channels.contains(where: \.pushes) {
            warnings.append(
                "CIBA reaches no phone: fido-uaf.dispatchers needs one of type firebase-cloud-messaging")
        }
        if !deployment.outOfBand.linking.allows(.none, forPush: true), sites.openID?.hasBackchannelDigits == false {
            warnings.append(
                "CIBA is refused for every user: out-of-band.channel-linking (weakest, weakest-push) asks for digits, and the "
                    + "answers of CIBA have none; set openid.backchannel-digits to true, and let the clients show them")
        }
        return warnings
    }

    private var idleClientWarnings: [String] {
        guard !sites.idleClients.isEmpty else { return [] }
        let names = sites.idleClients.map(\.text).joined(separator: ", ")
        return [
            "openid.clients has \(names), but openid.enabled is false: no web site can sign people in; set "
                + "openid.enabled to true, or remove the clients"
        ]
    }

    private var receiptWarnings: [String] {
        guard !sites.receipts.isEnabled else { return [] }
        return clients.filter(\.mayAskForConfirmation).map { client in
            "openid.clients: confirmation of \(client.id.text) is true, but receipts.enabled is false: nothing is kept "
                + "that proves what people have confirmed; switch receipts on, or confirmation off"
        }
    }

    private var deliveryWarnings: [String] {
        guard sites.outgoing.retries.isEmpty else { return [] }
        return [
            "outgoing.retries is empty: a message that fails once is given up; leave it out for seven more tries within "
                + "two days, or list waits such as [5s, 30s, 5m]"
        ]
    }

    private var gatewayWarnings: [String] {
        let hasKey = deployment.outOfBand.accessKeys.contains {
            $0.rights.roles.isEmpty && !$0.rights.scopes.isSubset(of: AccessKeyScope.ofDispatch)
        }
        guard sites.hasRelyingPartyAPI, !hasKey else { return [] }
        return [
            "relying-party-api.enabled is true, but no key of out-of-band.access-keys opens its services: each request is "
                + "refused; add a key with scopes such as [approve, status]"
        ]
    }
}

extension RegisteredClient {
    fileprivate var outgoingAddresses: [(String, OutgoingAddress)] {
        var addresses: [(String, OutgoingAddress)] = []
        if let logoutAddress { addresses.append(("logout-address", logoutAddress)) }
        if case .privateKey(.address(let address)) = authentication { addresses.append(("key-set-address", address)) }
        switch backchannel {
        case .ping(let address), .push(let address): addresses.append(("ciba-address", address))
        case .poll, nil: break
        }
        return addresses
    }
}

extension OutgoingAddress {
    /// The host as a number; nil for a name that has to be looked up.
    fileprivate var number: IPAddress? {
        guard let host = URLComponents(string: text)?.host?.lowercased() else { return nil }
        return IPAddress(host == "localhost" ? "127.0.0.1" : host.filter { $0 != "[" && $0 != "]" })
    }
}

extension DispatcherSettings.Channel {
    fileprivate var makesLinks: Bool {
        switch self {
        case .link, .linkPNGQRCode: true
        case .firebaseCloudMessaging, .pngQRCode: false
        }
    }

    fileprivate var pushes: Bool {
        switch self {
        case .firebaseCloudMessaging: true
        case .link, .linkPNGQRCode, .pngQRCode: false
        }
    }
}

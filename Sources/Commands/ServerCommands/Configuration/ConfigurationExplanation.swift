import BackendAPI
import LoadControl
import Octets
import OpenID
import ServerConfiguration
import ServerCore
import StrictYAML
import UAF
import WebAuthn

/// Effective configuration in words, with every default filled in.
struct ConfigurationExplanation {
    typealias Line = (name: String, value: String)

    let lines: [Line]

    init(
        _ deployment: Deployment, _ settings: ServerSettings, _ catalog: MetadataCatalog,
        _ models: PasskeyMetadata? = nil
    ) {
        let parts: [[Line]] = [
            Self.network(deployment), Self.uaf(settings, catalog), Self.logins(settings), Self.dispatchers(deployment),
            [("push messages", Self.text(settings.outOfBand))], Self.webSites(deployment.webSites),
            models.map { [("passkey metadata", Self.text($0))] } ?? [],
            Self.reload(deployment),
        ]
        lines = parts.flatMap(\.self)
    }

    private static func webSites(_ sites: OpenIDSettings) -> [Line] {
        let provider = sites.openID.map { openID in
            "on with \(openID.clients.count) clients of the configuration; sign-in pages live "
                + "\(openID.sessionLifetime.configurationText), tokens \(openID.tokenLifetime.configurationText)"
                + (openID.bindsSessions ? "; sessions are bound to keys of browsers that have them" : "")
        }
        let hooks = sites.webhooks.map { hook in
            "\(hook.name.text) at \(hook.address.text) (\(hook.events.map(\.rawValue).sorted().joined(separator: ", ")))"
        }
        let networks = sites.outgoing.rules.allowedNetworks.map(\.description).joined(separator: ", ")
        let reach = networks.isEmpty ? "no private address" : "private addresses in \(networks)"
        let (pages, devices) = (sites.pages, sites.pages.hasMyDevices ? "on" : "off")
        return [
            ("openid provider", provider ?? "off"),
            ("passkeys", passkeys(sites.openID?.passkeys)),
            ("receipts", sites.receipts.isEnabled ? "kept for \(sites.receipts.retention.configurationText)" : "off"),
            ("webhooks", hooks.isEmpty ? "none" : hooks.joined(separator: "; ")),
            ("outgoing requests", "\(sites.outgoing.retries.count + 1) tries; \(reach)"),
            ("relying-party api", sites.hasRelyingPartyAPI ? "on at /api/v1" : "off"),
            ("pages", "\(pages.serviceName), \(pages.language), my devices \(devices)"),
            ("recovery", sites.recovery.isEnabled ? "on, after \(sites.recovery.wait.configurationText)" : "off"),
        ]
    }

    private static func passkeys(_ passkeys: OpenIDSettings.Passkeys?) -> String {
        guard let passkeys else { return "off" }
        return "on for \(passkeys.relyingPartyID ?? "the host of the issuer"); "
            + (passkeys.takesSyncedKeys ? "synced ones are taken" : "only such as stay on their device")
            + "; weaker methods wait \(passkeys.removalWait.configurationText) for a removed one"
    }

    private static func text(_ models: PasskeyMetadata) -> String {
        let revoked = models.models.values.filter(\.isRevoked).count
        return "number \(models.number) with \(models.models.count) models, \(revoked) of them revoked; "
            + "the next one is due by \(models.nextUpdate)"
    }

    private static func network(_ deployment: Deployment) -> [Line] {
        let (http, limits) = (deployment.http, deployment.http.limits)
        return [
            (
                "profile",
                ([deployment.profile.rawValue] + deployment.assuranceProfiles.map(\.rawValue).sorted()).joined(
                    separator: ", ")
            ),
            ("service", "\(http.service.authority), reached as \(deployment.origin)"),
            ("transport", transport(http.security)), ("channel binding", channelBinding(deployment)),
            ("management", words(for: http.management)),
            ("data", deployment.dataDirectory), ("database", words(for: deployment.database)),
            ("master key", deployment.masterKeyFile),
            ("log", "\(deployment.logLevel.rawValue) and above, \(words(for: deployment.logFormat)) on standard error"),
            ("rate limits", "\(text(limits.perAddress)) per address, \(text(limits.perUser)) per address and user"),
            ("overload", text(limits.overload)),
        ]
    }

    private static func words(for management: ManagementSettings) -> String {
        let scheme = management.security == .plain ? "http" : "https"
        let place =
            switch management.place {
            case .address(let address): "\(scheme)://\(address.authority)"
            case .socket(let path, .owner): "the socket \(path), for the account of the server"
            case .socket(let path, .group): "the socket \(path), for the account of the server and its group"
            }
        return "\(place): liveness, health, metrics"
            + (management.token.map { "; parts and metrics with the token in \($0.file)" } ?? "")
    }

    private static func words(for database: DatabaseDeployment) -> String {
        guard case .postgreSQL(let server) = database else { return database.place }
        let protection =
            switch server.verification {
            case .full: "TLS, certificate and host name verified"
            case .authority: "TLS, certificate verified for any host name"
            case .disabled: "no TLS, on this machine"
            }
        return "\(server.place), \(protection), \(server.connectionCount) connections at most"
    }

    private static func words(for format: Deployment.LogFormat) -> String {
        switch format {
        case .automatic: "lines for people in a terminal, JSON lines elsewhere,"
        case .text: "lines for people"
        case .json: "JSON lines"
        }
    }

    private static func transport(_ security: TransportSecurity) -> String {
        switch security {
        case .ownCertificate: "TLS 1.2 and 1.3 with a certificate of our own for this machine"
        case .certificate(let chainFile, _): "TLS 1.2 and 1.3 with the certificate in \(chainFile)"
        case .plain: "no TLS; a proxy on this machine has to provide it"
        }
    }

    private static func channelBinding(_ deployment: Deployment) -> String {
        let files = deployment.uaf.frontEndCertificateFiles
        let isKnown = deployment.http.showsOwnCertificate || !files.isEmpty
        let own = isKnown && deployment.http.security != .plain ? ["our own"] : []
        let certificates = "the certificate is " + (own + files).joined(separator: " or ")
        return switch deployment.uaf.verification.channelBinding {
        case .ignored: "ignored"
        case .verified: isKnown ? "what a phone states is verified: \(certificates)" : "no certificate is known"
        case .required: "a phone has to state it: \(certificates)"
        }
    }

    private static func text(_ overload: OverloadSettings) -> String {
        "at most \(overload.inFlight) requests in flight, fewer while commits take more than "
            + "\(overload.commitLatency.configurationText); each has \(overload.answerTime.configurationText)"
    }

    private static func text(_ rate: RateLimit) -> String {
        "\(rate.perSecond) requests a second (\(rate.burst) at once)"
    }

    private static func text(_ application: ApplicationVersions) -> String {
        let blocked = application.blocked.isEmpty ? "" : ", \(application.blocked.count) blocked"
        return "\(application.facet.text) from \(application.minimum?.text ?? "any version") on"
            + (application.latest.map { ", newest \($0.text)" } ?? "") + blocked
    }

    private static func uaf(_ settings: ServerSettings, _ catalog: MetadataCatalog) -> [Line] {
        let uaf = settings.uaf
        let policies = uaf.policies.policies.sorted { $0.key < $1.key }.map { name, policy in
            "\(name)\(name == uaf.policies.defaultName ? " (default)" : "") with \(policy.accepted.count) alternatives"
                + text(uaf.policies.keyAttestation[name] ?? .ignored)
                + (uaf.policies.demands[name]?.isEmpty ?? true ? "" : ", statements of applications or devices")
        }
        return [
            ("app id", uaf.appID.text),
            ("facets", uaf.facets.map(\.text).joined(separator: ", ")),
            (
                "application versions",
                uaf.applications.isEmpty ? "none" : uaf.applications.map { text($0) }.joined(separator: "; ")
            ),
            ("policies", policies.joined(separator: "; ")),
            ("metadata", catalog.statements.map(\.aaid.text).joined(separator: ", ")),
            ("response lifetime", uaf.responseLifetime.configurationText),
            ("transaction text", "at most \(uaf.transactionMaximumByteCount) bytes"),
            ("server binding", text(uaf.verification, reachedAs: settings.outOfBand.origin)),
            ("application", text(uaf.appAttestation)),
            ("unknown users", uaf.hidesUnknownUsers ? "look like known ones" : "are told apart"),
            ("conformance routes", settings.conformance ? "on" : "off"),
        ]
    }

    private static func text(_ verification: VerificationSettings, reachedAs origin: String) -> String {
        let origins = ([origin] + verification.additionalOrigins).joined(separator: ", ")
        return switch verification.serverBinding {
        case .ignored: "ignored"
        case .verified: "a phone that states its server has to mean \(origins)"
        case .required: "a phone has to state its server, and to mean \(origins)"
        }
    }

    private static func text(_ keyAttestation: PolicyCatalog.KeyAttestation) -> String {
        switch keyAttestation {
        case .ignored: ""
        case .verified: ", evidence of chips verified"
        case .required: ", keys in chips only"
        }
    }

    private static func text(_ attestation: AppAttestationSettings) -> String {
        let applications = (attestation.apple?.applications ?? []).union(attestation.android?.packages ?? []).sorted()
        let operations = attestation.coversAuthentication ? "registrations and sign-ins" : "registrations"
        let device = attestation.android.map { "; Android devices: " + text($0.device) } ?? ""
        let named = "\(operations) of \(applications.joined(separator: ", "))\(device)"
        return switch attestation.rule {
        case .ignored: "statements about it are ignored"
        case .verified: "a statement about it has to hold: \(named)"
        case .required: "a statement about it has to be made, and to hold: \(named)"
        }
    }

    private static func text(_ device: AndroidDeviceDemand) -> String {
        let demands = [
            device.isStrongBoxRequired ? "keys in StrongBox" : "keys in trusted hardware",
            device.isVerifiedBootRequired ? "verified boot" : "any state of boot",
            device.isRollbackResistanceRequired ? "rollback resistance" : nil,
            device.oldestPatchLevel.map { "patches of \($0) or later" },
            device.patchAge.map { "patches of the last \($0) months" },
        ]
        return demands.compactMap(\.self).joined(separator: ", ")
    }

    private static func dispatchers(_ deployment: Deployment) -> [Line] {
        let lines = deployment.uaf.dispatchers.map { dispatcher -> Line in
            let redeemed = dispatcher.redeemAddresses.address(
                for: .authentication, origin: deployment.origin)
            return ("dispatcher \(dispatcher.name.rawValue)", "\(text(dispatcher)); tokens are redeemed at \(redeemed)")
        }
        return lines.isEmpty ? [("dispatchers", "none: no QR codes, no links, no push messages")] : lines
    }

    private static func text(_ dispatcher: DispatcherSettings) -> String {
        let sealed = dispatcher.requiresEncryption ? "sealed payloads only" : "sealed where the phone has a key"
        switch dispatcher.channel {
        case .firebaseCloudMessaging(let firebase):
            let proxy = firebase.proxy.map { " through the proxy \($0.host):\($0.port)" } ?? ""
            let mode = firebase.isDryRun ? "messages are judged and not delivered" : "sealed payloads only"
            return "\(firebase.endpoint)\(proxy), account in \(firebase.serviceAccountFile), \(mode)"
        case .link(let address), .linkPNGQRCode(let address): return "\(address.text), \(sealed)"
        case .pngQRCode: return sealed
        }
    }

    /// Limits of push messages, and the channel linking between phone and screen.
    private static func text(_ settings: OutOfBandSettings) -> String {
        let limits = settings.limits
        let wait =
            limits.backOff.firstWait == .zero
            ? "no growing wait"
            : "after \(PushThrottle.freeCount) a wait from \(limits.backOff.firstWait.configurationText) on"
        let quiet = limits.quietHours.map { "none from \($0)" } ?? "at any time"
        return [
            "at most \(limits.pushes) in \(limits.window.configurationText) since the last success", wait, quiet,
            "digits: \(settings.linking.push.rawValue)",
        ].joined(separator: ", ")
    }

    private static func reload(_ deployment: Deployment) -> [Line] {
        let interval = deployment.reloadInterval.configurationText
        let watched = "facets, applications, metadata, policies, revoked models and certificates"
        return [("reload", "\(watched): watched every \(interval), at once on SIGHUP")]
    }

    private static func logins(_ settings: ServerSettings) -> [Line] {
        [
            ("registration", "authorization \(settings.authorization.registration.rawValue)"),
            ("further authenticators", "need \(settings.authorization.additionalCredential.rawValue)"),
            ("tokens", "issued by \(settings.tokens.issuer), valid for \(settings.tokens.lifetime.configurationText)"),
            ("session cookie", settings.sessions.isEnabled ? settings.sessions.lifetime.configurationText : "off"),
            ("password login", settings.passwordLogin == nil ? "off" : "on at /auth/pwd"),
        ]
    }
}

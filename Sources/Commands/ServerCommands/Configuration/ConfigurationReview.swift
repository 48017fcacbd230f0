import BackendAPI
import CommandSupport
import FoundationEssentials
import Octets
import ServerConfiguration
import ServerCore
import StrictYAML
import UAF

struct ConfigurationReview {
    let warnings: [String]
    /// Values that are right in some networks and wrong in others, a sentence for each.
    let notices: [String]

    /// Time that a user needs for an operation in which they wait for the cool-down after a wrong PIN.
    private static let sensibleLifetime: Duration = .seconds(420)

    /// Reviews a configuration and the metadata that it names.
    ///
    /// `limit` is the number of files that the server may open; nil leaves it as it is.
    init(of deployment: Deployment, _ catalog: MetadataCatalog, limit: DescriptorLimit? = .current()) {
        let network = NetworkReview(deployment: deployment, limit: limit)
        notices = network.notices + Self.keyNotices(deployment.outOfBand)
        let all =
            Self.uafWarnings(deployment) + Self.networkWarnings(deployment)
            + Self.dispatcherWarnings(deployment) + Self.outOfBandWarnings(deployment.outOfBand)
            + OpenIDReview(deployment).warnings + network.warnings
            + PolicyReview(deployment.uaf, catalog).warnings(isProduction: deployment.profile == .production)
            // Warnings about the metadata of the built-in authenticators are not for the operator to fix.
            + (deployment.uaf.metadataPath == nil ? [] : Self.metadataWarnings(deployment, catalog))
        var said: Set<String> = []
        warnings = all.filter { said.insert($0).inserted }
    }

    private static func uafWarnings(_ deployment: Deployment) -> [String] {
        var warnings: [String] = []
        for facet in deployment.uaf.facets where facet.text.hasSuffix("*") {
            warnings.append(
                "the facet \(facet) matches no application: there are no wildcards, list the identity of each "
                    + "application; the production profile refuses it")
        }
        if deployment.uaf.facets.map(\.text) == UAFDeployment.demonstrationFacets {
            warnings.append("only the demonstration's applications (org.signet.demo) may answer")
        }
        if deployment.uaf.responseLifetime < sensibleLifetime {
            warnings.append(
                "requests live for \(deployment.uaf.responseLifetime.configurationText): "
                    + "a user who has to wait after a wrong PIN needs up to 420s")
        }
        if deployment.uaf.verification.serverBinding == .ignored {
            warnings.append(
                "fido-uaf.server-binding is ignored: an attacker can let your users answer challenges of another session"
            )
        }
        if deployment.conformance { warnings.append("the conformance routes answer without authorization") }
        if deployment.authorization.registration == .none {
            warnings.append(
                "authorization.registration is none: every person who knows a user name can register a phone for it")
        }
        return warnings
    }

    private static func networkWarnings(_ deployment: Deployment) -> [String] {
        var warnings: [String] = []
        if case .postgreSQL(let server) = deployment.database, server.verification == .authority {
            warnings.append(
                "any server with a certificate of the authority passes for the database (database.tls.verification)")
        }
        if deployment.http.security == .plain {
            warnings.append("the service speaks plain HTTP; clients refuse it without a proxy that provides TLS")
        }
        if deployment.http.security == .plain && deployment.http.proxies.trusted.isEmpty {
            warnings.append(
                "plain HTTP without server.trusted-proxies: all clients count as one address, "
                    + "and one of them can use up the limits of all")
        }
        let uaf = deployment.uaf
        if uaf.verification.channelBinding == .verified && !deployment.http.showsOwnCertificate
            && uaf.frontEndCertificateFiles.isEmpty
        {
            warnings.append(
                "the certificates of the proxies are not known (fido-uaf.channel-binding.certificate-files): "
                    + "the server cannot notice an attacker in the middle with a certificate that phones trust")
        }
        return warnings + certificateWarnings(deployment) { _ in true }
    }

    /// Warnings about the certificate files, for the findings that are asked for.
    static func certificateWarnings(
        _ deployment: Deployment, _ isWanted: (CertificateReview.Finding) -> Bool
    ) -> [String] {
        // How collectors and probes name the management listener is not known here.
        let listeners = [(deployment.http.security, deployment.host), (deployment.http.management.security, nil)]
        return listeners.flatMap { security, host -> [String] in
            guard case .certificate(let chainFile, _) = security else { return [] }
            let chain = PosixFiles().contents(of: chainFile).flatMap { String(validating: $0, as: UTF8.self) }
            guard let chain, let review = try? CertificateReview(chainPEM: chain, host: host, now: Date.now)
            else { return ["\(chainFile) holds no readable certificate"] }
            return review.findings.filter(isWanted).map {
                "the certificate in \(chainFile) \(words(for: $0, of: review))"
            }
        }
    }

    private static func dispatcherWarnings(_ deployment: Deployment) -> [String] {
        deployment.uaf.dispatchers.flatMap { dispatcher -> [String] in
            let foreign = OperationKind.allCases.map {
                dispatcher.redeemAddresses.address(for: $0, origin: deployment.origin)
            }.filter { !$0.hasPrefix(deployment.origin + "/") }
            var warnings = foreign.map {
                "phones refuse what is redeemed at \($0), another origin than this server's, unless the app names it"
            }
            switch dispatcher.channel {
            case .firebaseCloudMessaging(let firebase) where firebase.isDryRun:
                warnings.append("push messages are judged by the service and not delivered (dry-run)")
            case .link(let address) where !address.text.hasPrefix("https://"),
                .linkPNGQRCode(let address) where !address.text.hasPrefix("https://"):
                warnings.append("any application may claim the scheme of \(address.text) and get the payload")
            case .firebaseCloudMessaging, .link, .linkPNGQRCode, .pngQRCode: break
            }
            return warnings
        }
    }

    private static func outOfBandWarnings(_ settings: OutOfBandSettings) -> [String] {
        var warnings: [String] = []
        switch settings.linking.push {
        case .typed: break
        case .compare:
            warnings.append("digits of push messages are compared, not typed: a tired tap lets a stranger in")
        case .none: warnings.append("push messages ask for no digits: a tired tap lets a stranger in")
        }
        if settings.limits.backOff.firstWait == .zero {
            warnings.append(
                "out-of-band.limits.push-back-off is 0s: no wait grows between pushes that a user does not confirm")
        }
        if let quiet = settings.limits.quietHours, quiet.offset == nil {
            warnings.append(
                "out-of-band.quiet-hours has no utc-offset, so that it means \(quiet): add utc-offset such as "
                    + "\"+01:00\", or \"+00:00\" if UTC is meant")
        }
        if settings.dispatchProtection == .none {
            warnings.append(
                "out-of-band.dispatch-authorization is none: any program can ask every user to sign in; use a firewall")
        }
        return warnings
    }

    /// Access keys that begin authentications and nothing else, as all keys without other scopes do.
    private static func keyNotices(_ settings: OutOfBandSettings) -> [String] {
        let names = settings.accessKeys.filter {
            $0.rights.scopes.intersection(AccessKeyScope.ofDispatch) == [.dispatch]
        }
        guard !names.isEmpty else { return [] }
        return [
            "out-of-band.access-keys: \(names.map(\.name.text).joined(separator: ", ")) may begin authentications only: add the "
                + "scopes dispatch:registration and dispatch:deregistration to a key that begins those, too"
        ]
    }

    /// Entries that are left out, root certificates that have expired, and what the linter finds.
    private static func metadataWarnings(_ deployment: Deployment, _ catalog: MetadataCatalog) -> [String] {
        let documents = (try? deployment.metadataDocuments(from: PosixFiles())) ?? []
        let ended = catalog.statements.flatMap { statement in
            statement.attestationRootCertificates.compactMap { root -> String? in
                guard let end = end(ofCertificate: root), end < Date.now else { return nil }
                let day = Timestamp(milliseconds: Int64(end.timeIntervalSince1970 * 1_000)).iso8601.prefix(10)
                return
                    "a root certificate of \(statement.aaid.text) expired on \(day): ask its vendor for a new statement"
            }
        }
        return documents.flatMap(\.warnings) + ended + catalog.lintWarnings
    }

    /// End of the validity of a certificate in DER; nil for one that cannot be read.
    private static func end(ofCertificate der: [UInt8]) -> Date? {
        let lines = Base64.encode(der).utf8.enumerated().map { index, octet in
            (index > 0 && index.isMultiple(of: 64) ? "\n" : "") + String(UnicodeScalar(octet))
        }
        let pem = "-----BEGIN CERTIFICATE-----\n\(lines.joined())\n-----END CERTIFICATE-----\n"
        return (try? CertificateReview(chainPEM: pem, host: nil, now: Date.now))?.notValidAfter
    }

    private static func words(for finding: CertificateReview.Finding, of review: CertificateReview) -> String {
        switch finding {
        case .weakSignature: "is signed with SHA-1; Apple's systems refuse it"
        case .shortKey(let bitCount): "has an RSA key of only \(bitCount) bits; Apple's systems refuse it"
        case .notForServers: "lacks the extended key usage serverAuth; Apple's systems refuse it"
        case .otherName(let host): "does not name \(host) as a subject alternative name; clients refuse it"
        case .tooLongValidity(let days): "is valid for \(days) days; Apple's systems refuse more than 825"
        case .notValidNow where Date.now > review.notValidAfter:
            "has expired on \(day(review.notValidAfter)); clients refuse it: renew it"
        case .notValidNow:
            "is valid only from \(day(review.notValidBefore)) on; clients refuse it: check the clock of this machine"
        case .endsSoon(let days): "ends in \(days) days"
        }
    }

    private static func day(_ date: Date) -> String { date.formatted(.iso8601.year().month().day()) }
}

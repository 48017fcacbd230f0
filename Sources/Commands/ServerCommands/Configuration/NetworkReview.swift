import FoundationEssentials
import Octets
import ServerConfiguration
import ServerCore
import UAF

struct NetworkReview {
    let deployment: Deployment
    /// Limit of open files for the server; nil skips its check.
    let limit: DescriptorLimit?

    var warnings: [String] { facetWarnings + proxyWarnings + connectionWarnings }

    /// Notices about values that suit some networks and not others, one sentence each.
    var notices: [String] {
        let (http, listener) = (deployment.http, deployment.http.service.port)
        guard let url = http.publicOrigin.flatMap({ URLComponents(string: $0) }), listener != 0,
            http.security != .plain, http.proxies.trusted.isEmpty
        else { return [] }
        let port = url.port ?? Self.standardPort
        guard port != listener else { return [] }
        return [
            "server.public-url has port \(port), and the server listens on port \(listener): this is right behind a "
                + "proxy or a NAT that passes one on to the other; without one, make the ports the same"
        ]
    }

    private static let standardPort = 443

    private var facetWarnings: [String] {
        let served = deployment.origin + "/nevisfido/uaf/1.1/facets"
        guard let appID = deployment.uaf.appID?.text, let theirs = URLComponents(string: appID),
            let host = theirs.host, let ours = URLComponents(string: served)
        else { return [] }
        if host.lowercased() != deployment.host.lowercased() {
            return [
                "fido-uaf.app-id is on \(host), but phones reach this server at \(deployment.host): the facet list "
                    + "has to be published at \(appID), or change app-id or server.public-url"
            ]
        }
        let isServed =
            theirs.path == ours.path && (theirs.query ?? "").isEmpty
            && (theirs.port ?? Self.standardPort) == (ours.port ?? Self.standardPort)
        guard !isServed else { return [] }
        return [
            "fido-uaf.app-id is \(appID), but this server has its facet list at \(served): phones find none unless "
                + "something else publishes it there; leave app-id out, or name \(served)"
        ]
    }

    private var proxyWarnings: [String] {
        deployment.http.proxies.trusted.filter(\.isEverything).map { network in
            "server.trusted-proxies has \(network): every client may state any address as its own, so that limits per "
                + "address stop no client; name only the addresses of your proxies"
        }
    }

    private var connectionWarnings: [String] {
        let wanted = deployment.http.limits.connectionCount
        guard let limit else { return [] }
        let fitting = DescriptorLimit.connectionCount(under: limit.hard)
        guard wanted > fitting else { return [] }
        return [
            "server.max-connections is \(wanted), but the system lets this process open only \(limit.hard) files, "
                + "enough for \(fitting) connections: raise the hard limit (LimitNOFILE= of the service, or "
                + "ulimit -Hn), or lower max-connections"
        ]
    }
}

extension Deployment {
    var host: String {
        guard let origin = http.publicOrigin else { return http.service.host }
        let authority = origin.dropFirst("https://".count)
        if authority.hasPrefix("[") { return String(authority.dropFirst().prefix { $0 != "]" }) }
        return String(authority.prefix { $0 != ":" })
    }
}

import BackendAPI
import HTTPTypes
import Hummingbird
import OpenIDProvider
import ServerCore
import SignInPages

/// Pages for people: sign-in, devices, and the files that they load.
struct PageRoutes {
    private let shared: RouteServices
    private let sites: WebSiteServices

    init(shared: RouteServices, sites: WebSiteServices) {
        self.shared = shared
        self.sites = sites
    }

    /// Adds the routes; none without pages, and those of sign-ins only where there are sign-ins.
    func add(to routes: RouteBuilder) {
        guard let pages = sites.pages else { return }
        let exchanges = PageExchanges(shared: shared, pages: pages)
        addAssets(to: routes)
        DevicesRoutes(exchanges: exchanges, pages: pages).add(to: routes)
        guard let signIns = sites.signIns else { return }
        SignInRoutes(
            exchanges: exchanges, pages: pages, signIns: signIns, codes: ShownCodes(), longestWait: sites.longestWait
        ).add(to: routes)
    }

    private func addAssets(to routes: RouteBuilder) {
        routes.add(.pageStyle, Self.file(.style))
        routes.add(.pageScript, Self.file(.script))
        // Pages of clients load the element from here, whatever isolation they ask for.
        routes.add(.webScript, Self.file(.webScript, isForAll: true))
    }

    /// Answers with a file; a browser that has it asks with its entity tag, and gets 304 (RFC 9110, 13.1.2).
    private static func file(_ asset: PageAsset, isForAll: Bool = false) -> RouteBuilder.Handler {
        let (octets, tag) = (asset.octets, asset.entityTag)
        return { exchange in
            var headers: HTTPFields = [.cacheControl: "public, max-age=300", .eTag: tag]
            PageHeaders.set("Cross-Origin-Resource-Policy", isForAll ? "cross-origin" : "same-origin", in: &headers)
            if let known = exchange.request.headers[.ifNoneMatch], known.contains(tag) {
                return Response(status: .notModified, headers: headers)
            }
            return exchange.answer(bytes: octets, headers: headers)
        }
    }
}

import BackendAPI
import HTTPTypes
import Hummingbird
import OpenID
import ServerCore
import SignInPages

/// Pages for people: the one at the address of the service, sign-in, devices, and the files that they load.
struct PageRoutes {
    let shared: RouteServices
    let sites: ConfiguredServices

    /// Adds the routes; sign-ins and devices have routes only where there are such pages.
    func add(to routes: RouteBuilder) {
        if let front = sites.front { addFront(front, to: routes) }
        guard let pages = sites.pages else { return }
        let exchanges = PageExchanges(shared: shared, pages: pages)
        addScripts(to: routes)
        DevicesRoutes(exchanges: exchanges, pages: pages).add(to: routes)
        if pages.hasRecovery { RecoveryRoutes(exchanges: exchanges, pages: pages).add(to: routes) }
        guard let signIns = sites.signIns, let starter = sites.starter else { return }
        SignInRoutes(
            exchanges: exchanges, pages: pages, signIns: signIns, starter: starter, codes: ShownCodes(),
            longestWait: sites.longestWait
        ).add(to: routes)
    }

    /// A client that takes no HTML gets 406 (RFC 9110, 15.5.7), as at the other pages.
    private func addFront(_ front: any PageService, to routes: RouteBuilder) {
        let (exchanges, hasDevices) = (PageExchanges(shared: shared, pages: front), sites.pages != nil)
        Self.addLook(front.theme, to: routes)
        routes.add(.frontPage) { exchange in
            let page = front.frontPage(hasDevices: hasDevices, reader: try exchanges.reader(of: exchange))
            return exchanges.answer(page, to: exchange)
        }
    }

    private func addScripts(to routes: RouteBuilder) {
        routes.add(.pageScript, Self.file(PageAsset.script.octets))
        // Pages of clients load the element from here, whatever isolation they ask for.
        routes.add(.webScript, Self.file(PageAsset.webScript.octets, isForAll: true))
    }

    /// Answers with a file; a browser that has it asks with its entity tag, and gets 304 (RFC 9110, 13.1.2).
    private static func file(
        _ octets: [UInt8], type: String? = nil, isForAll: Bool = false
    ) -> RouteBuilder.Handler {
        let tag = PageAsset.entityTag(of: octets)
        return { exchange in
            var headers: HTTPFields = [.cacheControl: "public, max-age=300", .eTag: tag]
            PageHeaders.set("Cross-Origin-Resource-Policy", isForAll ? "cross-origin" : "same-origin", in: &headers)
            if let known = exchange.request.headers[.ifNoneMatch], known.contains(tag) {
                return Response(status: .notModified, headers: headers)
            }
            var response = exchange.answer(bytes: octets, headers: headers)
            if let type { response.headers[.contentType] = type }
            return response
        }
    }

    /// Adds the style, and the logo where there is one: pages show it as a picture, which runs no script.
    static func addLook(_ theme: PageTheme, to routes: RouteBuilder) {
        routes.add(.pageStyle, file(PageAsset.style.octets(in: theme)))
        guard let logo = theme.logo else { return }
        routes.add(.pageLogo, file(logo.octets, type: logo.type))
    }
}

import BackendAPI
import HTTPTypes
import Hummingbird
import NIOCore
package import OpenID
import ServerAdministration
import ServerCore
package import SignInPages

/// Console on the administration listener: its pages, and the end of the session that it shares with the provider.
package struct ServedConsole: Sendable {
    let pages: ConsolePages
    let logout: ProviderLogout

    package init(_ pages: ConsolePages, logout: ProviderLogout) { (self.pages, self.logout) = (pages, logout) }
}

/// Routes of the console in the browser of an administrator.
///
/// Cookies are not bound to a port: the session of the provider comes along. Forms carry the token of that session, and come
/// from the origin of the console.
struct ConsoleRoutes: Sendable {
    private let console: ConsolePages
    private let logout: ProviderLogout
    private let exchanges: PageExchanges
    private let authority: String

    init(_ served: ServedConsole, shared: RouteServices) {
        (console, logout) = (served.pages, served.logout)
        exchanges = PageExchanges(shared: shared, pages: served.pages.pages)
        authority = String(served.pages.origin.dropFirst("https://".count)).lowercased()
    }

    func add(to routes: RouteBuilder) {
        let root = ConsolePages.path
        PageRoutes.addLook(console.pages.theme, to: routes)
        routes.add(Self.page(root), page { exchange, visitor in try await first(exchange, visitor) })
        routes.add(
            Self.page(root + "/findings"), page { try .page(await console.findingsPage(for: $1)) })
        routes.add(
            Self.page(root + "/audit"), page { try .page(await console.auditPage(exchanges.query(of: $0), for: $1)) })
        routes.add(
            Self.page(root + "/people/{person}"),
            page { exchange, visitor in
                let query = try exchanges.query(of: exchange)
                return try .page(await console.personPage(exchange.named(), query, for: visitor))
            })
        routes.add(Self.form(root + "/people/{person}"), form { try await console.act(on: $0.named(), $1, for: $2) })
        routes.add(Self.page(root + "/sign-in/{person}")) { exchange in
            try requireOrigin(exchange)
            let query = try exchanges.query(of: exchange)
            return BrowserAnswers.redirect(to: console.signIn(backTo: try exchange.named(), with: query, isFresh: true))
        }
        routes.add(Self.form(root + "/sign-out")) { exchange in try await signOut(exchange) }
    }

    private static func page(_ path: String) -> Endpoint { Endpoint(.get, path, roots: [""], answers: [.html]) }

    private static func form(_ path: String) -> Endpoint {
        Endpoint(.post, path, roots: [""], takes: [.form], answers: [.html])
    }

    // MARK: - Visits

    /// A page for a person who is signed in; others go to sign in, and then come back.
    private func page(
        _ show: @escaping @Sendable (Exchange, ConsoleVisitor) async throws -> ConsoleAnswer
    ) -> RouteBuilder.Handler {
        { exchange in
            try requireOrigin(exchange)
            let visitor = try await console.visitor(try exchanges.reader(of: exchange))
            guard let visitor else { return try unknown(exchange) }
            return try await answer(exchange, visitor) { try await show(exchange, visitor) }
        }
    }

    /// A form that a page of the console has sent to this browser.
    private func form(
        _ act: @escaping @Sendable (Exchange, OpenIDFields, ConsoleVisitor) async throws -> ConsoleAnswer
    ) -> RouteBuilder.Handler {
        { exchange in
            try requireOrigin(exchange)
            let reader = try exchanges.reader(of: exchange)
            guard let fields = try fields(of: exchange, reader) else {
                return exchanges.answer(Self.foreignForm(console), to: exchange)
            }
            guard let visitor = try await console.visitor(reader) else { return try unknown(exchange) }
            return try await answer(exchange, visitor) { try await act(exchange, fields, visitor) }
        }
    }

    private func answer(
        _ exchange: Exchange, _ visitor: ConsoleVisitor, _ body: () async throws -> ConsoleAnswer
    ) async throws -> Response {
        do {
            guard visitor.role != nil else { throw AdministrationRefusal.forbidden }
            switch try await body() {
            case .page(let page): return exchanges.answer(page, to: exchange)
            case .redirect(let path): return BrowserAnswers.redirect(to: path)
            }
        } catch let refusal as AdministrationRefusal {
            return exchanges.answer(console.refusalPage(refusal, for: visitor), to: exchange)
        }
    }

    private func first(_ exchange: Exchange, _ visitor: ConsoleVisitor) async throws -> ConsoleAnswer {
        let query = try exchanges.query(of: exchange)
        if let path = ConsolePages.path(after: query) { return .redirect(path) }
        return .page(try await console.peoplePage(query, for: visitor))
    }

    /// Sends a browser without a session to sign in; one that comes back from there without it is told.
    private func unknown(_ exchange: Exchange) throws -> Response {
        let query = try exchanges.query(of: exchange)
        guard query["error"] == nil, ConsolePages.path(after: query) == nil else {
            let page = console.messagePage(
                "Not signed in", "The sign-in was not completed. Try again.", for: nil, status: 403)
            return exchanges.answer(page, to: exchange)
        }
        let person = exchange.endpoint.parameter == nil ? nil : try exchange.named()
        return BrowserAnswers.redirect(to: console.signIn(backTo: person, isFresh: false))
    }

    private func signOut(_ exchange: Exchange) async throws -> Response {
        try requireOrigin(exchange)
        let reader = try exchanges.reader(of: exchange)
        guard try fields(of: exchange, reader) != nil, let action = OpenIDFields([(name: "action", value: "logout")])
        else { return exchanges.answer(Self.foreignForm(console), to: exchange) }
        let answer = try await logout.logOut(action, browser: reader.cookies, client: reader.client)
        return try exchanges.answer(answer, to: exchange)
    }

    // MARK: - Rules

    /// Fields of a form of this browser; nil for a form of another page, sign-in or site.
    private func fields(of exchange: Exchange, _ reader: PageReader) throws(RequestRefusal) -> OpenIDFields? {
        do throws(RequestRefusal) {
            return try exchanges.form(of: exchange, session: ConsolePages.client, cookie: reader.cookies.provider)
        } catch {
            guard error == .forbidden || error == .foreignOrigin else { throw error }
            return nil
        }
    }

    private static func foreignForm(_ console: ConsolePages) -> PageAnswer {
        console.messagePage(
            "Nothing was done", "The form is from an earlier sign-in, or from another page. Open the person again.",
            for: nil, status: 403)
    }

    /// The console has one address: the cookies of another host name are none of this server.
    private func requireOrigin(_ exchange: Exchange) throws(RequestRefusal) {
        guard exchange.request.head.authority?.lowercased() == authority else {
            throw RequestRefusal(
                .misdirectedRequest, .malformedRequest, "The console is at https://\(authority)\(ConsolePages.path).")
        }
    }
}

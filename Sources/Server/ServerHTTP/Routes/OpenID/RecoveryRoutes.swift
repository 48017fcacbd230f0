import BackendAPI
import Hummingbird
import OpenID
import ServerCore
import SignInPages

/// Page of a way back without a phone, and its forms.
struct RecoveryRoutes: Sendable {
    let exchanges: PageExchanges
    let pages: any PageService

    func add(to routes: RouteBuilder) {
        routes.add(.recoverPage) { exchange in
            exchanges.answer(try await pages.recoverPage(reader: try exchanges.reader(of: exchange)), to: exchange)
        }
        routes.add(.recoverAction) { exchange in try await act(exchange) }
    }

    private func act(_ exchange: Exchange) async throws -> Response {
        let reader = try exchanges.reader(of: exchange)
        switch try await pages.recover(try step(of: exchange, reader), reader: reader) {
        case .page(let page): return exchanges.answer(page, to: exchange)
        case .begun(let cookie, let end):
            let language = reader.language.map { "?lang=\($0.rawValue)" } ?? ""
            var response = BrowserAnswers.redirect(to: exchange.endpoint.path + language)
            BrowserAnswers(pages: pages, clock: exchanges.shared.clock)
                .set(BrowserCookies.recoveryName, cookie, until: end, in: &response)
            return response
        }
    }

    /// Name and code come before there is a cookie, and nothing of the browser goes with them: they need no token.
    private func step(of exchange: Exchange, _ reader: PageReader) throws(RequestRefusal) -> PageRecoveryStep {
        try exchanges.shared.authenticator.origins.requireOwn(exchange.request)
        guard let fields = exchange.form else { throw .malformed }
        if fields["action"] == "begin" {
            guard let name = fields["username"] else { throw .malformed(member: ["username"]) }
            guard let code = fields["code"] else { throw .malformed(member: ["code"]) }
            return .begin(name: name, code: code)
        }
        let form = try exchanges.form(
            of: exchange, session: exchange.endpoint.path, cookie: reader.cookies.recovery)
        switch form["action"] {
        case "invite": return .invite
        case "remove":
            guard let phone = form["authenticator"].flatMap({ TargetExternalID(text: $0) }) else {
                throw .malformed(member: ["authenticator"])
            }
            return .remove(phone)
        default: throw .malformed(member: ["action"])
        }
    }
}

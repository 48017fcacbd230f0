import BackendAPI
import HTTPTypes
import Hummingbird
import NIOCore
import Octets
import OpenID
import ServerCore
import SignInPages
import StrictJSON

/// Sign-in page, its form, its state and its QR code; all of it only for the browser that began.
struct SignInRoutes: Sendable {
    let exchanges: PageExchanges
    let pages: any PageService
    let signIns: any SignInService
    let starter: any SignInStarting
    let codes: ShownCodes
    let longestWait: Duration

    func add(to routes: RouteBuilder) {
        routes.add(.signInPage) { exchange in try await show(exchange) }
        routes.add(.signInAction) { exchange in try await act(exchange) }
        routes.add(.signInStatus) { exchange in try await status(exchange) }
        routes.add(.signInCode) { exchange in try await picture(exchange) }
    }

    // MARK: - Page

    private func show(_ exchange: Exchange) async throws -> Response {
        guard var entry = try await entry(of: exchange) else {
            return try exchanges.refusal(.otherBrowser, to: exchange)
        }
        if try await asksName(exchange, in: entry) {
            return exchanges.answer(
                pages.usernamePage(entry, reader: try reader(of: exchange, for: entry)), to: exchange)
        }
        let state: ConfirmationState
        do {
            if try await isCodeDue(entry) {
                entry = try await begin(.code, in: entry, exchange)
                state = .waiting
            } else {
                state = try await signIns.state(of: entry, unlike: nil, atMost: .zero)
            }
        } catch ServerError.overloaded, ServerError.tooManyOperations {
            return try exchanges.refusal(.tooMany, to: exchange)
        }
        let refusal = try exchanges.query(of: exchange)["passkey"].flatMap { PasskeySignInRefusal(rawValue: $0) }
        let page = try await pages.signInPage(
            entry, begun: begun(of: entry), state: state, refusal: refusal,
            reader: try reader(of: exchange, for: entry))
        return exchanges.answer(page, to: exchange)
    }

    /// Reader of a page of a sign-in, in the language of its request where none was chosen on the page.
    private func reader(of exchange: Exchange, for entry: OpenSignIn) throws(RequestRefusal) -> PageReader {
        try exchanges.reader(of: exchange, preferring: entry.session.parameters.language)
    }

    /// Whether the browser asks for the form with the user name, and the sign-in is not confirmed already.
    private func asksName(_ exchange: Exchange, in entry: OpenSignIn) async throws -> Bool {
        guard try exchanges.query(of: exchange)["view"] == "push" else { return false }
        switch entry.session.stage {
        case .open: return true
        case .finished: return false
        case .confirming:
            if case .confirmed = try await signIns.state(of: entry, unlike: nil, atMost: .zero) { return false }
            return true
        }
    }

    /// Whether the page begins a code by itself: the first when it is opened, and the next one when that is due or the code
    /// was begun by another process.
    ///
    /// A push, and what the phone shows already, goes on.
    private func isCodeDue(_ entry: OpenSignIn) async throws(ServerError) -> Bool {
        switch entry.session.stage {
        case .open: return true
        case .finished: return false
        case .confirming:
            if let shown = begun(of: entry) {
                guard let due = shown.renewsAt, due <= exchanges.shared.clock.now() else { return false }
            }
            return try await signIns.state(of: entry, unlike: nil, atMost: .zero) == .waiting
        }
    }

    // MARK: - Form

    private func act(_ exchange: Exchange) async throws -> Response {
        guard let entry = try await entry(of: exchange) else {
            return try exchanges.refusal(.otherBrowser, to: exchange)
        }
        let id = entry.session.id.text
        let cookie = BrowserCookies(onPageOf: exchange.request).browser
        let form = try exchanges.form(of: exchange, session: id, cookie: cookie)
        let client = exchanges.shared.client(of: exchange)
        switch form["action"] {
        case "code": try await begin(.code, in: entry, exchange)
        case "renew": try await renew(entry, exchange)
        case "push": try await begin(.push(username: try Self.username(in: form)), in: entry, exchange)
        case "passkey-options": return try await passkeyOptions(for: entry, form)
        case "passkey": return try await signIn(entry, by: form, exchange)
        case "finish":
            let answer = try await signIns.finish(entry, client: client)
            return try exchanges.answer(answer, to: exchange)
        case "cancel":
            let answer = try await signIns.cancel(entry, client: client)
            return try exchanges.answer(answer, to: exchange)
        default: throw RequestRefusal.malformed(member: ["action"])
        }
        return try page(id, for: exchange)
    }

    private static func username(in form: OpenIDFields) throws(RequestRefusal) -> String {
        guard let name = form["username"], name.unicodeScalars.count <= 128 else {
            throw .malformed(member: ["username"])
        }
        return name
    }

    // MARK: - Passkeys

    private func passkeys() throws(RequestRefusal) -> any PasskeyService {
        guard let passkeys = pages.passkeys else { throw .malformed(member: ["action"]) }
        return passkeys
    }

    /// Options for the script; without a name, or with an empty one, any passkey may answer.
    private func passkeyOptions(for entry: OpenSignIn, _ form: OpenIDFields) async throws -> Response {
        let name = try form["username"].map { _ in try Self.username(in: form) }
        let options = try await passkeys().signInOptions(of: entry, username: name?.isEmpty == true ? nil : name)
        return exchanges.answer(json: JSONWriter.write(.object(options)))
    }

    /// Back to the client, or to the page, which says why not.
    private func signIn(_ entry: OpenSignIn, by form: OpenIDFields, _ exchange: Exchange) async throws -> Response {
        guard let answer = form["answer"] else { throw RequestRefusal.malformed(member: ["answer"]) }
        let outcome = try await passkeys().signIn(
            entry, with: Sensitive(Array(answer.utf8)), client: exchanges.shared.client(of: exchange))
        switch outcome {
        case .answered(let answer): return try exchanges.answer(answer, to: exchange)
        case .refused(let refusal): return try page(entry.session.id.text, for: exchange, telling: refusal)
        }
    }

    // MARK: - Ways on

    /// Shows the next code, unless a phone has taken one meanwhile.
    private func renew(_ entry: OpenSignIn, _ exchange: Exchange) async throws {
        switch try await signIns.state(of: entry, unlike: nil, atMost: .zero) {
        case .shown, .confirmed, .denied: return
        case .waiting, .expired, .unknown: try await begin(.code, in: entry, exchange)
        }
    }

    private func page(
        _ id: String, for exchange: Exchange, telling refusal: PasskeySignInRefusal? = nil
    ) throws(RequestRefusal) -> Response {
        let language = try exchanges.query(of: exchange)["lang"].flatMap { PageLanguage(rawValue: $0) }
        let query = [language.map { "lang=\($0.rawValue)" }, refusal.map { "passkey=\($0.rawValue)" }]
            .compactMap(\.self).joined(separator: "&")
        return BrowserAnswers.redirect(to: Endpoint.signInPage.path(naming: id) + (query.isEmpty ? "" : "?" + query))
    }

    // MARK: - State

    private func status(_ exchange: Exchange) async throws -> Response {
        guard var entry = try await entry(of: exchange) else { throw RequestRefusal.notFound }
        let headers = try origin(of: exchange, for: entry)
        let query = try exchanges.query(of: exchange)
        var wait = Duration.zero
        if let text = query["wait"] {
            guard text.utf8.count <= 5, let milliseconds = Int(text), milliseconds >= 0 else {
                throw RequestRefusal.malformed(member: ["wait"])
            }
            wait = min(.milliseconds(milliseconds), longestWait)
        }
        let known = query["known"].flatMap(Self.state(named:))
        let state = try await signIns.state(of: entry, unlike: known, atMost: wait)
        if wait > .zero {
            // The ceremony may have been replaced while this waited.
            guard let now = try await self.entry(of: exchange) else { throw RequestRefusal.notFound }
            entry = now
        }
        return exchange.answer(bytes: body(of: entry, state), headers: headers)
    }

    private func body(of entry: OpenSignIn, _ state: ConfirmationState) -> [UInt8] {
        let begun = state.isFinal ? nil : begun(of: entry)
        let now = exchanges.shared.clock.now()
        let members: JSONObject = [
            "state": .string(Self.name(of: state, in: entry)), "round": .integer(Int64(entry.session.round)),
            "digits": begun?.digits.map { .string($0.digits) }, "link": begun?.link.map { .string($0.text) },
            "expiresIn": begun.map { .integer(max(0, ($0.expiresAt - now).components.seconds)) },
            "renewsIn": begun?.secondsToRenewal(at: now).map { .integer($0) },
        ]
        return JSONWriter.write(.object(members))
    }

    private static func name(of state: ConfirmationState, in entry: OpenSignIn) -> String {
        switch state {
        case .waiting: "waiting"
        case .shown: "shown"
        case .confirmed: "confirmed"
        case .denied: "denied"
        case .expired: "expired"
        case .unknown: entry.session.stage == .open ? "open" : "expired"
        }
    }

    private static func state(named name: String) -> ConfirmationState? {
        switch name {
        case "waiting": .waiting
        case "shown": .shown
        default: nil
        }
    }

    // MARK: - Code

    private func picture(_ exchange: Exchange) async throws -> Response {
        guard let entry = try await entry(of: exchange) else { throw RequestRefusal.notFound }
        let headers = try origin(of: exchange, for: entry)
        let query = try exchanges.query(of: exchange)
        guard let round = query["round"], round.utf8.count <= 6, let number = Int(round) else {
            throw RequestRefusal.malformed(member: ["round"])
        }
        guard number == entry.session.round, let link = begun(of: entry)?.link else { throw RequestRefusal.notFound }
        return exchange.answer(bytes: link.picture, headers: headers)
    }

    // MARK: - Steps

    private func entry(of exchange: Exchange) async throws -> OpenSignIn? {
        guard let id = AuthorizationSessionID(text: try exchange.named()) else { return nil }
        let entry = try await signIns.session(id, browser: BrowserCookies(onPageOf: exchange.request))
        if entry != nil { try exchanges.shared.countRequest(ofPage: id.text) }
        return entry
    }

    private func begun(of entry: OpenSignIn) -> BegunConfirmation? {
        guard case .confirming(let ceremony) = entry.session.stage else { return nil }
        return codes.begun(ceremony, round: entry.session.round, at: exchanges.shared.clock.now())
    }

    /// Begins a ceremony; the session as it goes on.
    @discardableResult
    private func begin(
        _ channel: SignInChannel, in entry: OpenSignIn, _ exchange: Exchange
    ) async throws -> OpenSignIn {
        let begun = try await starter.begin(channel, in: entry, client: exchanges.shared.client(of: exchange))
        let session = entry.session.confirming(begun.id)
        codes.insert(begun, round: session.round, insteadOf: entry.session.stage.ceremony)
        return OpenSignIn(session: session, client: entry.client, replacing: entry.replacing)
    }

    /// Header fields for the page that asks: the fields of Fetch (3.3) for an origin that the client has registered.
    private func origin(of exchange: Exchange, for entry: OpenSignIn) throws(RequestRefusal) -> HTTPFields {
        var headers: HTTPFields = [.cacheControl: "no-store", .vary: "Origin, Cookie"]
        let origins = exchange.request.headers[values: .origin]
        if let origin = origins.first, origins.count == 1, entry.client.origins.contains(origin) {
            headers[.accessControlAllowOrigin] = origin
            headers[.accessControlAllowCredentials] = "true"
        } else {
            try exchanges.shared.authenticator.origins.requireOwn(exchange.request)
            PageHeaders.set("Cross-Origin-Resource-Policy", "same-origin", in: &headers)
        }
        return headers
    }
}

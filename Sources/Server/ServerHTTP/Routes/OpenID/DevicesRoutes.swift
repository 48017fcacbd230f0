import BackendAPI
import HTTPTypes
import Hummingbird
import Octets
import OpenID
import ServerCore
import SignInPages
import StrictJSON

/// Page of the devices of a user, and its form.
struct DevicesRoutes: Sendable {
    let exchanges: PageExchanges
    let pages: any PageService

    func add(to routes: RouteBuilder) {
        routes.add(.devicesPage) { exchange in try await show(exchange) }
        routes.add(.devicesAction) { exchange in try await change(exchange) }
    }

    /// Without a session the browser goes to sign in; what comes back with it in the query is useless to attackers.
    private func show(_ exchange: Exchange) async throws -> Response {
        let reader = try exchanges.reader(of: exchange)
        guard let visitor = try await pages.visitor(reader.cookies) else {
            let query = try exchanges.query(of: exchange)
            // An answer that has led to no session, such as a refusal, does not begin again by itself.
            guard query["error"] == nil else { return try exchanges.refusal(.expired, to: exchange) }
            return BrowserAnswers.redirect(to: pages.devicesSignIn(isFresh: false))
        }
        return exchanges.answer(try await pages.devicesPage(of: visitor.user, reader: reader), to: exchange)
    }

    private func change(_ exchange: Exchange) async throws -> Response {
        let reader = try exchanges.reader(of: exchange)
        let form = try exchanges.form(
            of: exchange, session: SignInPages.devicesClient, cookie: reader.cookies.provider)
        guard let visitor = try await pages.visitor(reader.cookies) else {
            return BrowserAnswers.redirect(to: pages.devicesSignIn(isFresh: false))
        }
        if form["action"] == "passkey-options" { return try await passkeyOptions(for: visitor) }
        if let isFile = Self.dataActions[form["action"] ?? ""] {
            let data = try await pages.personalData(of: visitor.session, reader: reader, isFile: isFile)
            return answer(data, to: exchange)
        }
        let page = try await pages.changeDevices(
            try Self.change(in: form), of: visitor.session, client: exchanges.shared.client(of: exchange),
            reader: reader)
        // The page says what was done: after a removal the session has ended, and a redirect would lead to a sign-in.
        guard page.status == 403 else { return exchanges.answer(page, to: exchange) }
        return BrowserAnswers.redirect(to: pages.devicesSignIn(isFresh: true))
    }

    /// Actions that show what is kept of the person, and whether as a file.
    private static let dataActions = ["data": false, "data-file": true]

    private func answer(_ data: PersonAnswer, to exchange: Exchange) -> Response {
        switch data {
        case .page(let page): exchanges.answer(page, to: exchange)
        case .confirmFirst: BrowserAnswers.redirect(to: pages.devicesSignIn(isFresh: true))
        case .file(let json): exchanges.answer(json: json, file: "signet.json")
        }
    }

    /// Options for a new passkey, for the script, which is led to a sign-in when that has to be fresh or stronger.
    private func passkeyOptions(for visitor: PageVisitor) async throws -> Response {
        guard let passkeys = pages.passkeys else { throw RequestRefusal.malformed(member: ["action"]) }
        guard let options = try await passkeys.registrationOptions(of: visitor.session) else {
            return BrowserAnswers.redirect(to: pages.devicesSignIn(isFresh: true))
        }
        return exchanges.answer(json: JSONWriter.write(.object(options)))
    }

    private static func change(in form: OpenIDFields) throws(RequestRefusal) -> PageDeviceChange {
        switch form["action"] {
        case "codes": return .makeCodes
        case "end-recovery": return .endRecovery
        case "add-passkey":
            let answer = form["answer"].flatMap { $0.isEmpty ? nil : Sensitive(Array($0.utf8)) }
            return .passkey(.add(answer, name: try name(in: form)))
        case "rename-passkey": return .passkey(.rename(try passkey(in: form), try name(in: form)))
        case "remove-passkey": return .passkey(.remove(try passkey(in: form)))
        default: break
        }
        guard let device = form["authenticator"].flatMap({ TargetExternalID(text: $0) }) else {
            throw .malformed(member: ["authenticator"])
        }
        switch form["action"] {
        case "rename": return .rename(device, try name(in: form))
        case "remove": return .remove(device)
        default: throw .malformed(member: ["action"])
        }
    }

    private static func name(in form: OpenIDFields) throws(RequestRefusal) -> String {
        guard let name = form["name"] else { throw .malformed(member: ["name"]) }
        return name
    }

    private static func passkey(in form: OpenIDFields) throws(RequestRefusal) -> RegistrationID {
        guard let passkey = form["passkey"].flatMap({ RegistrationID(text: $0) }) else {
            throw .malformed(member: ["passkey"])
        }
        return passkey
    }
}

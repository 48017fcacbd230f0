import BackendAPI
import HTTPTypes
import Hummingbird
import NIOCore
import OpenID
import ServerCore
import SignInPages

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
        case .file(let json):
            Response(
                status: .ok,
                headers: [
                    .contentType: "application/json", .contentDisposition: "attachment; filename=\"signet.json\"",
                    .cacheControl: "no-store",
                ], body: .init(byteBuffer: ByteBuffer(bytes: json)))
        }
    }

    private static func change(in form: OpenIDFields) throws(RequestRefusal) -> PageDeviceChange {
        switch form["action"] {
        case "codes": return .makeCodes
        case "end-recovery": return .endRecovery
        default: break
        }
        guard let device = form["authenticator"].flatMap({ TargetExternalID(text: $0) }) else {
            throw .malformed(member: ["authenticator"])
        }
        switch form["action"] {
        case "rename":
            guard let name = form["name"] else { throw .malformed(member: ["name"]) }
            return .rename(device, name)
        case "remove": return .remove(device)
        default: throw .malformed(member: ["action"])
        }
    }
}

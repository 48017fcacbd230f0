import BackendAPI
import Octets
package import OpenID
package import ServerAdministration
package import ServerCore
import StrictJSON
import UAF
import UAFService

/// Console of administrators in a browser, in English, for people with a role (`administration.people`).
///
/// It shows and changes what ``AdministrationService/answer(_:)`` answers, and nothing else: roles, reasons and versions are
/// judged there. The session of the provider is the session here.
package struct ConsolePages: Sendable {
    /// Client under which the console signs people in; the provider knows it without configuration.
    package static let client = RegisteredClient.consoleName
    /// Path of its first page.
    package static let path = "/console"
    /// Age of a sign-in up to which it is good for changes.
    static let freshness: Duration = .seconds(900)

    package let pages: SignInPages
    /// Address without a slash at its end, such as `https://signet.example.com:9443`.
    package let origin: String
    private let service: AdministrationService
    let draftSeal: OpenIDSeal

    package init(_ pages: SignInPages, of service: AdministrationService, at origin: String) {
        self.pages = pages
        self.service = service
        draftSeal = OpenIDSeal(keys: service.services.keys, random: pages.ports.random)
        self.origin = origin
    }

    // MARK: - Visitors

    /// Person who is signed in; nil without a session that holds.
    package func visitor(_ reader: PageReader) async throws(ServerError) -> ConsoleVisitor? {
        guard let visitor = try await pages.holder(of: reader.cookies) else { return nil }
        return ConsoleVisitor(
            user: visitor.user, role: service.people.role(of: visitor.user.name),
            isFresh: pages.ports.wall.now() - visitor.session.authenticatedAt <= Self.freshness, reader: reader)
    }

    /// Address at which a person signs in, and then comes back to the page of `person`; `isFresh` asks the phone in any case.
    ///
    /// The field `form` of a query, a sealed form, comes back, too.
    package func signIn(backTo person: String?, with query: OpenIDFields? = nil, isFresh: Bool) -> String {
        let carried = query?["form"].flatMap(Self.sealedForm).map { ".\($0)" } ?? ""
        let state = person.flatMap { UserID(text: $0) }.map { Self.statePrefix + $0.text + carried }
        let random = Base64URL.encode(pages.ports.random.bytes(count: 16))
        return pages.issuer
            + pages.signIn(
                to: origin + Self.path, of: Self.client, isFresh: isFresh, state: state ?? random)
    }

    private static let statePrefix = "person."

    /// Path of the page to which a sign-in leads that has come back with these fields; nil for fields of no sign-in.
    ///
    /// The code is never exchanged: the session of the browser is what counts.
    package static func path(after signIn: OpenIDFields) -> String? {
        guard signIn["code"] != nil else { return nil }
        guard let state = signIn["state"], state.hasPrefix(statePrefix) else { return path }
        let parts = state.dropFirst(statePrefix.count).split(separator: ".", maxSplits: 1).map(String.init)
        guard let id = parts.first.flatMap({ UserID(text: $0) }) else { return path }
        let form = parts.count == 2 ? sealedForm(parts[1]).map { "?form=\($0)" } : nil
        return path(of: id.text) + (form ?? "")
    }

    package static func path(of person: String) -> String { "\(path)/people/\(PathComponent.encode(person))" }

    // MARK: - Questions

    /// Answer of the administration to a visitor.
    func ask(
        _ operation: AdministrationOperation, for visitor: ConsoleVisitor, because reason: String? = nil,
        _ fill: (inout AdministrationCall) -> Void = { _ in }
    ) async throws(AdministrationRefusal) -> (members: JSONObject, version: ObjectVersion?) {
        guard let role = visitor.role else { throw .forbidden }
        var call = try AdministrationCall(
            operation, by: .person(visitor.user.id), in: [role], because: reason, client: visitor.reader.client)
        fill(&call)
        let answer = try await service.answer(call)
        let members = answer.body.flatMap { try? JSONParser.parse($0).asObject() }
        return (members ?? JSONObject(distinct: []), answer.version)
    }

    /// Whether a visitor may change a person: with a sign-in that is fresh, and people of the console as an operator only.
    func mayChange(_ name: String, _ visitor: ConsoleVisitor) -> Bool {
        guard let role = visitor.role, AdministrationOperation.changeUser.roles.contains(role) else { return false }
        return role == .operator || UserName(name).flatMap { service.people.role(of: $0) } == nil
    }

    // MARK: - Frame

    func page(
        _ template: PageTemplates.Name, titled title: String, _ values: [String: PageValue],
        for visitor: ConsoleVisitor?, status: Int = 200
    ) -> PageAnswer {
        var values = values
        values["headline"] = values["headline"] ?? .text(title)
        values["wide"] = .flag(true)
        values["issuer"] = .text(origin)
        values["console"] = .list(visitor.map { [frame($0, title)] } ?? [])
        return pages.page(template, titled: title, values, pages.texts(in: .english), status: status)
    }

    /// Ways to the other pages, as far as the role of the visitor opens them, and out.
    private func frame(_ visitor: ConsoleVisitor, _ title: String) -> [String: PageValue] {
        var entries = [("People", Self.path), ("What is wrong now", "\(Self.path)/findings")]
        if let role = visitor.role, AdministrationOperation.listAudit.roles.contains(role) {
            entries.append(("Audit", "\(Self.path)/audit"))
        }
        if visitor.role == nil { entries = [] }
        return [
            "entries": .list(
                entries.map { ["name": .text($0.0), "path": .text($0.1), "current": .flag($0.0 == title)] }),
            "visitor": .text(visitor.user.name.text.asName()),
            "role": PageValue(visitor.role.map { $0 == .helpDesk ? "help desk" : $0.rawValue }),
            "formToken": .text(Self.token(visitor.reader)?.text ?? ""),
        ]
    }

    /// Token of the forms of a browser.
    package static func token(_ reader: PageReader) -> FormToken? {
        FormToken(cookie: reader.cookies.provider, session: client)
    }

    /// Page with one sentence, and a way back.
    package func messagePage(
        _ title: String, _ message: String, back: String = Self.path, for visitor: ConsoleVisitor?, status: Int
    ) -> PageAnswer {
        page(
            .consoleMessage, titled: title, ["message": .text(message), "back": .text(back)], for: visitor,
            status: status)
    }

    package func refusalPage(_ refusal: AdministrationRefusal, for visitor: ConsoleVisitor) -> PageAnswer {
        guard visitor.role != nil else {
            return messagePage(
                "No access",
                "\(visitor.user.name.text.asName()) has no role here. An operator gives one in administration.people.",
                for: visitor, status: 403)
        }
        let notice = ConsoleNotice(refusal)
        return messagePage("This does not work", notice.text, for: visitor, status: notice.status)
    }
}

/// Person in front of the console.
package struct ConsoleVisitor: Sendable {
    package let user: User
    /// Nil for a person without a role.
    package let role: AdministrationRole?
    /// Whether the sign-in is good for changes.
    package let isFresh: Bool
    package let reader: PageReader
}

package import OpenID
package import ServerAdministration
import ServerCore
import StrictJSON

/// Change that a form of the console asks for.
package enum ConsoleAction: String, Sendable, Hashable, CaseIterable {
    case lock, unlock, remove, invite
    case removePasskey = "remove-passkey"

    /// The outcome in words.
    var done: String {
        switch self {
        case .lock: "The account is locked, and all its logins have ended."
        case .unlock: "The account is unlocked."
        case .remove: "The phone is removed, and what it had confirmed has ended."
        case .removePasskey: "The passkey is removed, and all logins of the account have ended."
        case .invite: "The invitation has begun."
        }
    }
}

/// Answer to a form of the console.
package enum ConsoleAnswer: Sendable {
    case page(PageAnswer)
    /// Path of a page of the console.
    case redirect(String)
}

extension ConsolePages {
    /// Does what a form asks for a person, and leads to a page that says what became of it.
    package func act(
        on id: String, _ form: OpenIDFields, for visitor: ConsoleVisitor
    ) async throws(AdministrationRefusal) -> ConsoleAnswer {
        let draft = ConsoleDraft(form)
        let notice: ConsoleNotice
        do throws(AdministrationRefusal) {
            guard let draft else { throw .malformed(["action"]) }
            guard visitor.isFresh else { return .page(try await personPage(id, .stale, draft, for: visitor)) }
            guard let reason = ShownText.line(draft.reason, AdministrativeAct.reasonCounts) else {
                throw .reasonMissing
            }
            let answer = try await perform(draft, on: id, form, because: reason, visitor)
            if draft.action == .invite { return .page(try await invitationPage(answer, to: id, visitor)) }
            return .redirect("\(Self.path(of: id))?done=\(draft.action.rawValue)")
        } catch {
            notice = ConsoleNotice(error)
        }
        return .page(try await personPage(id, notice, draft, for: visitor))
    }

    private func perform(
        _ draft: ConsoleDraft, on id: String, _ form: OpenIDFields, because reason: String, _ visitor: ConsoleVisitor
    ) async throws(AdministrationRefusal) -> JSONObject {
        let version = form["version"].flatMap { ObjectVersion(entityTag: "\"\($0)\"") }
        switch draft.action {
        case .lock, .unlock:
            let status: User.Status = draft.action == .lock ? .locked : .active
            return try await ask(.changeUser, for: visitor, because: reason) {
                ($0.object, $0.version) = (id, version)
                $0.body = JSONWriter.write(.object(["status": .string(status.rawValue)]))
            }.members
        case .remove:
            guard let phone = draft.phone else { throw .malformed(["phone"]) }
            // A phone of another person would be removed on a page that does not show it.
            let owner = try await ask(.device, for: visitor) { $0.object = phone }.members.text("user")
            guard owner == id else { throw .unknown }
            return try await ask(.removeDevice, for: visitor, because: reason) {
                ($0.object, $0.version) = (phone, version)
            }.members
        case .removePasskey:
            guard let passkey = form["passkey"] else { throw .malformed(["passkey"]) }
            let owner = try await ask(.passkey, for: visitor) { $0.object = passkey }.members.text("user")
            guard owner == id else { throw .unknown }
            return try await ask(.removePasskey, for: visitor, because: reason) {
                ($0.object, $0.version) = (passkey, version)
            }.members
        case .invite:
            return try await ask(.invite, for: visitor, because: reason) {
                $0.body = JSONWriter.write(.object(["user": .string(id)]))
            }.members
        }
    }

    private func invitationPage(
        _ answer: JSONObject, to id: String, _ visitor: ConsoleVisitor
    ) async throws(AdministrationRefusal) -> PageAnswer {
        let name = try await ask(.user, for: visitor) { $0.object = id }.members.text("name") ?? ""
        let values: [String: PageValue] = [
            "name": .text(name.asName()), "back": .text(Self.path(of: id)),
            "picture": PageValue(answer.text("picture")), "link": PageValue(answer.text("link")),
            "digits": PageValue(answer.text("digits")),
            "spoken": .text((answer.text("digits") ?? "").map(String.init).joined(separator: " ")),
            "ends": .text(Self.time(answer.text("expiresAt") ?? "")),
        ]
        var page = page(.consoleInvitation, titled: "Invite a phone", values, for: visitor)
        page.embedsPicture = true
        return page
    }
}

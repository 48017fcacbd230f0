import Octets
import OpenID
import ServerCore
import StrictJSON

/// Form that a visitor has filled in for a person.
///
/// Where the sign-in was too old for it, it goes along to the new one, sealed for visitor and person, and is shown again;
/// only the visitor sends it.
struct ConsoleDraft: Sendable, Hashable {
    let action: ConsoleAction
    /// Phone that the form is about; nil where it is about the account.
    let phone: String?
    let reason: String

    /// Takes what a form has; nil for no form of the console.
    init?(_ form: OpenIDFields) {
        self.init(action: form["action"], phone: form["phone"], reason: form["reason"])
    }

    fileprivate init?(action: String?, phone: String?, reason: String?) {
        guard let action = action.flatMap(ConsoleAction.init) else { return nil }
        (self.action, self.phone, self.reason) = (action, phone, reason ?? "")
    }
}

extension ConsolePages {
    /// Octets of the longest sealed form; what is longer is no reason that would be taken.
    private static let draftLimit = 2_048

    /// A form for the way over a sign-in, good for 15 minutes; nil for one that is too long.
    func seal(_ draft: ConsoleDraft, on person: String, by visitor: ConsoleVisitor) -> String? {
        let members: JSONObject = [
            "action": .string(draft.action.rawValue), "phone": draft.phone.map { .string($0) },
            "reason": .string(draft.reason), "ends": .integer((pages.ports.wall.now() + Self.freshness).milliseconds),
        ]
        let content = JSONWriter.write(.object(members))
        let sealed = try? draftSeal.seal(content, as: .consoleForm, for: Self.row(person, visitor))
        return sealed.map { Base64URL.encode($0) }.flatMap(Self.sealedForm)
    }

    /// The form that a visitor has left for a person; nil for one of others, for an old and a changed one.
    func draft(_ sealed: String?, on person: String, by visitor: ConsoleVisitor) -> ConsoleDraft? {
        guard let sealed, let octets = try? Base64URL.decode(sealed),
            let content = try? draftSeal.open(octets, as: .consoleForm, for: Self.row(person, visitor)),
            let members = try? JSONParser.parse(content).asObject(),
            let ends = try? members["ends"]?.asInt64(), pages.ports.wall.now() < Timestamp(milliseconds: ends)
        else { return nil }
        return ConsoleDraft(
            action: members.text("action"), phone: members.text("phone"), reason: members.text("reason"))
    }

    /// A text that can be a sealed form; nil for every other.
    static func sealedForm(_ text: String) -> String? {
        text.utf8.count <= draftLimit && (try? Base64URL.decode(text)) != nil ? text : nil
    }

    private static func row(_ person: String, _ visitor: ConsoleVisitor) -> [UInt8] {
        Array("\(visitor.user.id.text) \(person)".utf8)
    }
}

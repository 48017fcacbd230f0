import CommandSupport
import ServerCore
import StrictJSON

extension AuditEntry {
    /// The record on one line, for people: time, name, what happened, and to whom.
    var line: TerminalText {
        let details = [
            details("user", "username"), erasedName, initiatorName, details("phone", "dispatchTargetId"),
            details("authenticator", "aaid"), details("web site", "clientId"), changes, details("because", "reason"),
            details("from", "clientIp"), operatorName, details("who said:", "note"),
        ]
        let words = ([meaning] + details.compactMap(\.self)).joined(separator: ", ")
        return "\(at.iso8601)  \(chainID)/\(sequence)  \(words)"
    }

    private func details(_ word: String, _ name: String) -> String? {
        self[name].map { "\(word) \($0)" }
    }

    /// User who was erased, by the identifier that is left.
    private var erasedName: String? {
        event["erased"] == .bool(true) ? self["userId"].map { "user \($0), erased" } : nil
    }

    /// System that asked for it.
    private var initiatorName: String? {
        switch self["initiator"].flatMap(Initiator.init(stored:)) {
        case .client(let id): "at \(id.text)"
        case .accessKey(let name): "asked by the access key \(name.text)"
        case .administrator: "asked by an administrator"
        case .anonymous, .user, nil: nil
        }
    }

    /// Settings that were changed, from and to.
    private var changes: String? {
        guard case .array(let changes)? = event["changes"] else { return nil }
        let texts = changes.compactMap { change -> String? in
            guard case .object(let members) = change, case .string(let setting)? = members["setting"] else {
                return nil
            }
            return "\(setting): \(Self.text(members["from"])) -> \(Self.text(members["to"]))"
        }
        return texts.isEmpty ? nil : texts.joined(separator: "; ")
    }

    private static func text(_ value: JSONValue?) -> String {
        value.map { JSONWriter.text($0) } ?? "none"
    }

    private var operatorName: String? {
        guard case .object(let actor)? = event["actor"] else { return nil }
        for name in ["sudoUser", "login"] {
            if case .string(let text)? = actor[name] { return "by \(text)" }
        }
        return nil
    }
}

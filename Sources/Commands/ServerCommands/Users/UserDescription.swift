import CommandSupport
import StrictJSON

/// User in an answer of the administration API, in words.
struct UserDescription {
    private let user: JSONObject
    private let attributes: [JSONObject.Member]

    init(_ reply: AdministrationReply) {
        user = (try? reply.values.first?.asObject()) ?? [:]
        attributes = if case .object(let object)? = user["attributes"] { object.members } else { [] }
    }

    var text: TerminalText {
        let members = [("user", "name"), ("external id", "externalId"), ("status", "status"), ("since", "createdAt")]
        let table =
            members.map { ($0, ForeignText.name(user.text($1) ?? "-")) }
            + attributes.map { ($0.name, Self.text($0.value)) }
        let width = table.map(\.0.count).max() ?? 0
        let lines = table.map { name, value in name + String(repeating: " ", count: width - name.count + 2) + value }
        return TerminalText(lines: lines + (attributes.isEmpty ? [Self.advice] : []))
    }

    /// Attributes in one line, such as `email anna@example.com, email_verified true`.
    var attributeLine: String {
        let words = attributes.map { "\($0.name) \(Self.text($0.value))" }
        return words.isEmpty ? "no attributes" : words.joined(separator: ", ")
    }

    private static let advice =
        "There are no attributes, so that web sites learn no name and no e-mail address: set them with \"users set\"."

    private static func text(_ value: JSONValue) -> String {
        switch value {
        case .string(let text): ForeignText.name(text)
        case .bool(let flag): flag ? "true" : "false"
        case .array(let values): values.map(text).joined(separator: ", ")
        default: ""
        }
    }
}

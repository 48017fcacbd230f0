import CommandSupport
import ServerCore
import StrictJSON
import UAF

enum UserDescription {
    static func json(_ user: User, _ attributes: UserAttributes) -> JSONObject {
        [
            "name": .string(user.name.text), "externalId": .string(user.externalID.text),
            "status": .string(user.status.rawValue), "createdAt": .string(user.createdAt.iso8601),
            "attributes": .object(attributes.members),
        ]
    }

    static func text(_ user: User, _ attributes: UserAttributes) -> TerminalText {
        var table = [
            ("user", user.name.terminal), ("external id", user.externalID.terminal),
            ("status", user.status.rawValue), ("since", user.createdAt.iso8601),
        ]
        for member in attributes.members.members { table.append((member.name, text(member.value))) }
        let width = table.map(\.0.count).max() ?? 0
        let lines = table.map { name, value in name + String(repeating: " ", count: width - name.count + 2) + value }
        return TerminalText(lines: lines + (attributes == UserAttributes() ? [advice] : []))
    }

    /// Attributes in one line, such as `email anna@example.com, email_verified true`.
    static func line(_ attributes: UserAttributes) -> String {
        attributes.members.members.map { "\($0.name) \(text($0.value))" }.joined(separator: ", ")
    }

    private static var advice: String {
        "There are no attributes, so that web sites learn no name and no e-mail address: set them with \"users set\"."
    }

    private static func text(_ value: JSONValue) -> String {
        switch value {
        case .string(let text): ForeignText.name(text)
        case .bool(let flag): flag ? "true" : "false"
        case .array(let values): values.map(text).joined(separator: ", ")
        default: ""
        }
    }
}

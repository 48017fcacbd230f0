import StrictJSON

/// JSON that is kept for a while and may name a user: an outgoing message, a pushed request, an open sign-in page.
struct PersonDocument {
    /// Members whose text is the name or external id of a user.
    private static let members = ["sub", "userId", "loginHint", "hintedSubject"]

    private let value: JSONValue?

    init(json: [UInt8]) { value = try? JSONParser.parse(json) }

    func names(anyOf names: Set<String>) -> Bool { value.map { Self.names(anyOf: names, in: $0) } ?? false }

    private static func names(anyOf names: Set<String>, in value: JSONValue) -> Bool {
        guard case .object(let object) = value else { return false }
        return object.members.contains { member in
            if case .string(let text) = member.value { return members.contains(member.name) && names.contains(text) }
            return self.names(anyOf: names, in: member.value)
        }
    }
}

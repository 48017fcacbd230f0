import Octets

/// A JSON text that was read: its bytes and where in them its values stand.
///
/// Most of a message is looked at once or not at all, so values are made on demand.
final class JSONDocument: Sendable {
    static let none = JSONDocument([], tokens: [])

    private let text: [UInt8]
    private let tokens: [JSONToken]

    init(_ text: [UInt8], tokens: [JSONToken]) {
        self.text = text
        self.tokens = tokens
    }

    func value(at index: Int) -> JSONValue {
        let token = tokens[index]
        switch token.kind {
        case .null: return .null
        case .no: return .bool(false)
        case .yes: return .bool(true)
        case .number: return .number(JSONNumber(text: string(token)))
        case .asciiString, .plainString, .escapedString: return .string(string(token))
        case .array: return .array(elements(of: index))
        case .object: return .object(JSONObject(in: self, at: index))
        }
    }

    func member(_ name: UnsafeBufferPointer<UInt8>, of object: Int) -> JSONValue? {
        let index = text.withUnsafeBufferPointer { text in
            tokens.withUnsafeBufferPointer { tokens in
                JSONNames(in: text, tokens, content: object + 1..<tokens[object].next).value(named: name)
            }
        }
        return index.map { value(at: $0) }
    }

    func members(of object: Int) -> [JSONObject.Member] {
        var members: [JSONObject.Member] = []
        members.reserveCapacity(tokens[object].count)
        var index = object + 1
        while index < tokens[object].next {
            members.append(JSONObject.Member(string(tokens[index]), value(at: index + 1)))
            index = tokens[index + 1].next
        }
        return members
    }

    /// Offset of the value that `path` leads to, or of the last one on the way: of its name, or of its first scalar.
    func offset(of path: [String]) -> Int {
        var (index, offset) = (0, 0)
        for component in path {
            guard let child = child(component, of: index) else { break }
            let isMember = tokens[index].kind == .object
            let scalar = tokens[child..<tokens[child].next].first { $0.kind != .array && $0.kind != .object }
            if let place = isMember ? tokens[child - 1] : scalar {
                let hasQuote = [.asciiString, .plainString, .escapedString].contains(place.kind)
                offset = place.characters.lowerBound - (hasQuote ? 1 : 0)
            }
            index = child
        }
        return offset
    }

    /// Index of the token of a member or an element; nil when there is none of this name or number.
    private func child(_ component: String, of container: Int) -> Int? {
        var (index, position) = (container + 1, 0)
        let step = tokens[container].kind == .object ? 1 : 0
        guard step == 1 || tokens[container].kind == .array else { return nil }
        while index < tokens[container].next {
            let isMeant = step == 1 ? string(tokens[index]).hasSameOctets(as: component) : String(position) == component
            if isMeant { return index + step }
            (index, position) = (tokens[index + step].next, position + 1)
        }
        return nil
    }

    private func elements(of array: Int) -> [JSONValue] {
        var elements: [JSONValue] = []
        elements.reserveCapacity(tokens[array].count)
        var index = array + 1
        while index < tokens[array].next {
            elements.append(value(at: index))
            index = tokens[index].next
        }
        return elements
    }

    private func string(_ token: JSONToken) -> String {
        text.withUnsafeBufferPointer { JSONScanner.string(token, in: $0) }
    }
}

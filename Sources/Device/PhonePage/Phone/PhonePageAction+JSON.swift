import StrictJSON

extension PhonePageAction {
    private static let limits = JSONLimits(byteCount: 16 << 10, depth: 2, elementCount: 8)
    /// Longest link or envelope in octets.
    static let linkLimit = 4_096
    /// Longest name of a phone in octets.
    static let nameLimit = 128

    /// Reads the body of a post: the word of the action in `do`, its value beside it.
    init(json body: [UInt8]) throws(PhonePageRefusal) {
        guard case .object(let members)? = try? JSONParser.parse(body, limits: Self.limits),
            case .string(let word)? = members["do"]
        else { throw .malformed }
        switch word {
        case "open": self = .open(try Self.text(members, upTo: Self.linkLimit))
        case "accept": self = .accept
        case "decline": self = .decline(isReported: members["reported"] == .bool(true))
        case "choose": self = .choose(try Self.number(members))
        case "digits": self = .digits(try Self.digits(members))
        case "fetchPending": self = .fetchPending
        case "rename": self = .settings(.rename(try Self.text(members, upTo: Self.nameLimit)))
        case "changePIN": self = .settings(.changePIN)
        case "changePassword": self = .settings(.changePassword)
        case "deregister": self = .settings(.deregister(account: try Self.number(members)))
        case "lose": self = .settings(.lose)
        default: throw .malformed
        }
    }

    private static func text(_ members: JSONObject, upTo limit: Int) throws(PhonePageRefusal) -> String {
        guard case .string(let text)? = members["text"], !text.isEmpty else { throw .malformed }
        guard text.utf8.count <= limit else { throw .tooLarge }
        return text
    }

    private static func number(_ members: JSONObject) throws(PhonePageRefusal) -> Int {
        guard case .number(let written)? = members["number"], let number = written.integer, (0..<1_000).contains(number)
        else { throw .malformed }
        return Int(number)
    }

    private static func digits(_ members: JSONObject) throws(PhonePageRefusal) -> String {
        let text = try text(members, upTo: 8)
        guard (2...8).contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            throw .malformed
        }
        return text
    }
}

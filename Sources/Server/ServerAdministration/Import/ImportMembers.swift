import Octets
import ServerCore
import StrictJSON
import UAFService

/// Members of one object of an import, which all have to be known.
struct ImportMembers {
    private let object: JSONObject

    /// Refuses members that are not among `names`.
    init(_ object: JSONObject, _ names: Set<String>) throws(ImportFault) {
        for member in object.members where !names.contains(member.name) && member.name != "type" {
            throw ImportFault("there is no member \(ShownText.replacing(member.name))")
        }
        self.object = object
    }

    subscript(name: String) -> JSONValue? { object[name] == .null ? nil : object[name] }

    /// Value of a text; nil where there is none.
    func optional<Value>(_ name: String, _ rule: String, _ make: (String) -> Value?) throws(ImportFault) -> Value? {
        guard let json = self[name] else { return nil }
        guard case .string(let text) = json, let value = make(text) else {
            throw ImportFault("\(name) has to be \(rule)")
        }
        return value
    }

    func required<Value>(_ name: String, _ rule: String, _ make: (String) -> Value?) throws(ImportFault) -> Value {
        guard let value = try optional(name, rule, make) else { throw ImportFault("\(name) is missing: \(rule)") }
        return value
    }

    /// Number of a member, `absent` where there is none; without one it has to be there.
    func number<Number: FixedWidthInteger>(_ name: String, absent: Number? = nil) throws(ImportFault) -> Number {
        guard let json = self[name] else {
            guard let absent else { throw ImportFault("\(name) is missing: a number") }
            return absent
        }
        guard let number = try? json.asInteger(Number.self) else {
            throw ImportFault("\(name) has to be a number from \(Number.min) to \(Number.max)")
        }
        return number
    }

    func octets(_ name: String) throws(ImportFault) -> [UInt8] {
        try required(name, "base64url") { try? Base64URL.decode($0, strictness: .lenient) }
    }

    func time(_ name: String, absent: Timestamp) throws(ImportFault) -> Timestamp {
        try optional(name, "a time such as 2026-01-31T12:00:00.000Z") { Timestamp(iso8601: $0) } ?? absent
    }

    /// A key as an object, or as the text of one.
    func key(_ name: String) throws(ImportFault) -> DeviceKey? {
        guard let json = self[name] else { return nil }
        let text = if case .string(let text) = json { text } else { JSONWriter.text(json) }
        guard let key = DeviceKey(stored: text) else {
            throw ImportFault("\(name) has to be a public key (JWK) of P-256, or of RSA with 2048 bits or more")
        }
        return key
    }

    func texts(_ name: String) throws(ImportFault) -> [String] {
        guard let json = self[name] else { return [] }
        guard case .array(let values) = json else { throw ImportFault("\(name) has to be a list of texts") }
        let texts = values.compactMap { if case .string(let text) = $0 { text } else { nil } }
        guard texts.count == values.count else { throw ImportFault("\(name) has to be a list of texts") }
        return texts
    }
}

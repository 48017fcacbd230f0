import Octets
import StrictJSON

/// Writes bodies, forms and addresses with marks in place of every value that is not known to be harmless.
///
/// JSON that stands inside a string, as text or in base64url, is written as an object beside its size:
/// `{"<json 812>":{...}}`. What cannot be read as JSON or as a form is one mark.
struct BodyMask: Sendable {
    private static let limits = JSONLimits(byteCount: 256 << 10, depth: 32)
    private static let nesting = 4
    private static let formType = "application/x-www-form-urlencoded"

    let marks: RecordingMarks

    func body(_ octets: [UInt8], type: String?) -> [UInt8] {
        guard !octets.isEmpty else { return [] }
        if let value = try? JSONParser.parse(octets, limits: Self.limits) {
            return JSONWriter.write(masked(value, of: nil, inside: 0))
        }
        if type?.lowercased().hasPrefix(Self.formType) == true, let text = String(validUTF8: octets) {
            return Array(form(text[...], inside: 0).utf8)
        }
        return Array(marks.mark(octets).utf8)
    }

    // MARK: - JSON

    private func masked(_ value: JSONValue, of name: String?, inside depth: Int) -> JSONValue {
        switch value {
        case .null, .bool: value
        case .number(let number):
            HarmlessMembers.shows(number.text, of: name) ? value : .string(marks.mark(number.text))
        case .string(let text): masked(text, of: name, inside: depth)
        case .array(let elements): .array(elements.map { masked($0, of: name, inside: depth) })
        case .object(let object):
            .object(
                JSONObject(
                    distinct: object.members.map { member in
                        .init(shown(member.name), masked(member.value, of: member.name, inside: depth))
                    }))
        }
    }

    private func masked(_ text: String, of name: String?, inside depth: Int) -> JSONValue {
        if HarmlessMembers.shows(text, of: name) { return .string(text) }
        if HarmlessMembers.holdsAddress(name) { return .string(address(text, inside: depth)) }
        guard depth < Self.nesting, let (kind, inner) = document(in: text) else { return .string(marks.mark(text)) }
        let member = JSONObject.Member(
            "<\(kind) \(text.utf8.count)>", masked(inner, of: nil, inside: depth + 1))
        return .object(JSONObject(distinct: [member]))
    }

    private func document(in text: String) -> (kind: String, value: JSONValue)? {
        switch text.utf8.first {
        case UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: " "), UInt8(ascii: "\n"):
            return container(Array(text.utf8)).map { ("json", $0) }
        // What base64 begins with when the bytes begin with a brace or a bracket.
        case UInt8(ascii: "e"), UInt8(ascii: "W"):
            guard let octets = try? Base64URL.decode(text, strictness: .lenient) else { return nil }
            return container(octets).map { ("base64url", $0) }
        default: return nil
        }
    }

    private func container(_ octets: [UInt8]) -> JSONValue? {
        switch try? JSONParser.parse(octets, limits: Self.limits) {
        case .some(.object(let object)): .object(object)
        case .some(.array(let elements)): .array(elements)
        default: nil
        }
    }

    private func shown(_ name: some StringProtocol) -> String {
        HarmlessMembers.isName(name) ? String(name) : marks.mark(name)
    }

    // MARK: - Forms and addresses

    /// Fields of a form or a query: names stay, values go as in JSON.
    private func form(_ text: Substring, inside depth: Int) -> String {
        text.split(separator: "&", omittingEmptySubsequences: false).map { field in
            guard let equals = field.firstIndex(of: "=") else { return field.isEmpty ? "" : marks.mark(field) }
            let name = field[..<equals]
            let value = decoded(field[field.index(after: equals)...])
            switch masked(value, of: String(name), inside: depth) {
            case .string(let masked): return shown(name) + "=" + masked
            case let masked: return shown(name) + "=" + JSONWriter.text(masked)
            }
        }.joined(separator: "&")
    }

    /// A URL or a path: user, tokens in the path, values of the query and the fragment go.
    func address(_ text: String, inside depth: Int = 0) -> String {
        let beforeFragment = text.prefix { $0 != "#" }
        let fragment =
            beforeFragment.endIndex == text.endIndex ? "" : "#" + marks.mark(text[beforeFragment.endIndex...])
        let beforeQuery = beforeFragment.prefix { $0 != "?" }
        let query =
            beforeQuery.endIndex == beforeFragment.endIndex
            ? "" : "?" + form(beforeFragment[beforeQuery.endIndex...].dropFirst(), inside: depth)
        let parts = beforeQuery.split(separator: "/", omittingEmptySubsequences: false)
        let isAbsolute = parts.count > 2 && parts[0].hasSuffix(":") && parts[1].isEmpty
        let shown = parts.enumerated().map { index, part in
            switch index {
            case 0 where isAbsolute: HarmlessMembers.isName(part.dropLast()) ? String(part) : marks.mark(part)
            case 2 where isAbsolute: authority(part)
            default: component(part)
            }
        }
        return shown.joined(separator: "/") + query + fragment
    }

    private func authority(_ text: Substring) -> String {
        guard let at = text.lastIndex(of: "@") else { return host(text) }
        return marks.mark(text[..<at]) + "@" + host(text[text.index(after: at)...])
    }

    private func host(_ text: Substring) -> String {
        let isHost = text.utf8.allSatisfy { TokenShape.isURLSafe($0) || ".:[]".utf8.contains($0) }
        return isHost && text.utf8.count <= 253 && !TokenShape.isIn(text) ? String(text) : marks.mark(text)
    }

    /// Components of a path that are words or versions (`1.1`, `v1`) stay.
    private func component(_ text: Substring) -> String {
        let isVersion =
            text.utf8.count <= 8 && (text.contains(".") || text.first == "v")
            && text.drop { $0 == "v" }.utf8.allSatisfy { TokenShape.isDigit($0) || $0 == UInt8(ascii: ".") }
        let isWord =
            text.utf8.count <= 40 && !TokenShape.isIn(text)
            && text.utf8.allSatisfy { TokenShape.isLetter($0) || "-_.".utf8.contains($0) }
        return isVersion || isWord ? String(text) : marks.mark(decoded(text))
    }

    private func decoded(_ text: Substring) -> String {
        var octets: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let octet = rest.popFirst() {
            let digits = String(decoding: rest.prefix(2), as: UTF8.self)
            if octet == UInt8(ascii: "%"), let escaped = try? Hex.decode(digits), escaped.count == 1 {
                octets += escaped
                rest = rest.dropFirst(2)
            } else {
                octets.append(octet)
            }
        }
        return String(decoding: octets, as: UTF8.self)
    }
}

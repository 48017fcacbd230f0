/// Finds the values of secret members in a JSON body or fields of a form, and masks them.
///
/// It looks at bytes and not at structure, so it also works on bodies that are cut or malformed.
enum SecretMembers {
    private static let names = ["password", "passwd", "isiwebpasswd", "jwt", "accessToken", "refreshToken", "token"]
    private static let mask = Array("***".utf8)

    /// The body with the values of secret members replaced.
    static func masked(_ body: [UInt8]) -> [UInt8] {
        names.reduce(body) { body, name in
            maskedForm(maskedJSON(body, Array("\"\(name)\"".utf8)), Array("\(name)=".utf8))
        }
    }

    /// Replaces the string after `"name"` and a colon.
    private static func maskedJSON(_ body: [UInt8], _ name: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        var position = 0
        while position < body.count {
            guard matches(body, name, at: position), let value = stringValue(body, after: position + name.count) else {
                result.append(body[position])
                position += 1
                continue
            }
            result += body[position...value.lowerBound] + mask
            position = value.upperBound
        }
        return result
    }

    /// From the opening quote to the closing one (or the end of the body).
    private static func stringValue(_ body: [UInt8], after start: Int) -> Range<Int>? {
        var position = start
        var hasColon = false
        while position < body.count, body[position] != UInt8(ascii: "\"") {
            guard body[position] <= 0x20 || (body[position] == UInt8(ascii: ":") && !hasColon) else { return nil }
            if body[position] == UInt8(ascii: ":") { hasColon = true }
            position += 1
        }
        guard hasColon, position < body.count else { return nil }
        let opening = position
        position += 1
        while position < body.count, body[position] != UInt8(ascii: "\"") {
            position += body[position] == UInt8(ascii: "\\") ? 2 : 1
        }
        return opening..<min(position, body.count)
    }

    /// Replaces what stands between `name=` at the start of a field and the next `&`.
    private static func maskedForm(_ body: [UInt8], _ name: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        var position = 0
        while position < body.count {
            let startsField = position == 0 || body[position - 1] == UInt8(ascii: "&")
            guard startsField, matches(body, name, at: position) else {
                result.append(body[position])
                position += 1
                continue
            }
            result += name + mask
            position = body[position...].firstIndex(of: UInt8(ascii: "&")) ?? body.count
        }
        return result
    }

    private static func matches(_ body: [UInt8], _ name: [UInt8], at position: Int) -> Bool {
        position + name.count <= body.count && zip(body[position...], name).allSatisfy { lower($0) == lower($1) }
    }

    private static func lower(_ octet: UInt8) -> UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(octet) ? octet | 0x20 : octet
    }
}

/// Patterns of credential values, whatever their names are.
enum TokenShape {
    private static let shortestWithDigit = 16
    private static let shortestMixed = 20

    /// `jws` or `jwe` for a text in the compact form of one (RFC 7515, 7.1; RFC 7516, 7.1).
    static func joseForm(of text: String) -> String? {
        let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.first?.isEmpty == false, parts.allSatisfy({ $0.allSatisfy(isURLSafe) }) else { return nil }
        switch parts.count {
        case 3: return "jws"
        case 5: return "jwe"
        default: return nil
        }
    }

    /// Whether a text holds a run of characters that is too long and too mixed for a word.
    static func isIn(_ text: some StringProtocol) -> Bool {
        text.utf8.split(whereSeparator: { !isURLSafe($0) && $0 != UInt8(ascii: "+") }).contains { run in
            if run.count >= shortestWithDigit, run.contains(where: isDigit) { return true }
            return run.count >= shortestMixed && run.contains(where: isUpper) && run.contains(where: isLower)
        }
    }

    static func isDigit(_ octet: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(octet) }

    static func isLetter(_ octet: UInt8) -> Bool { isUpper(octet) || isLower(octet) }

    /// The characters of base64url.
    static func isURLSafe(_ octet: UInt8) -> Bool {
        isLetter(octet) || isDigit(octet) || octet == UInt8(ascii: "-") || octet == UInt8(ascii: "_")
    }

    private static func isUpper(_ octet: UInt8) -> Bool { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(octet) }

    private static func isLower(_ octet: UInt8) -> Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(octet) }
}

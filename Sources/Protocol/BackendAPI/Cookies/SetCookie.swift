import Octets

/// A cookie as a `Set-Cookie` field sets it (RFC 6265).
///
/// Name and value are secrets of the session: they must not reach logs or errors.
public struct SetCookie: Sendable {
    /// Name of the cookie.
    public let name: String
    /// Value of the cookie; quotes round it are part of it.
    public var value: String { sensitiveValue.reveal() }
    private let sensitiveValue: Sensitive<String>
    /// Expiry time in seconds since 1970; nil when there is no usable `Expires`.
    public internal(set) var expires: Int64?
    /// Lifetime in seconds; zero or less expires the cookie at once.
    ///
    /// It takes precedence over ``expires``.
    public internal(set) var maxAge: Int64?
    /// The domain it is for in lower case, without a leading dot; nil restricts it to the host that set it.
    public internal(set) var domain: String?
    /// The path it is for; nil stands for the folder of the request.
    public internal(set) var path: String?
    /// Whether it must not be sent without TLS.
    public internal(set) var isSecure = false
    /// Whether scripts must not see it.
    public internal(set) var isHTTPOnly = false

    init(name: String, value: String) {
        self.name = name
        sensitiveValue = Sensitive(value)
    }

    /// Strictness of a reader.
    public enum Strictness: Sendable {
        /// Only what a server may send (RFC 6265, 4.1.1); the rule for cookies that an app hands in.
        case grammar
        /// Everything that a user agent must cope with (RFC 6265, 5.2); the rule for cookies from servers.
        case userAgent
    }

    /// The longest value of a `Set-Cookie` field that is read, in bytes.
    public static let maximumByteCount = 16_384
}

extension SetCookie {
    /// Reads the value of a `Set-Cookie` field.
    ///
    /// Throws ``BackendAPIError/refusedCookie`` when the value holds control characters (with them a second field could
    /// be smuggled in), is longer than ``maximumByteCount``, or is no cookie by the rule asked for.
    public init(parsing text: String, strictness: Strictness) throws(BackendAPIError) {
        guard text.utf8.count <= Self.maximumByteCount, !text.utf8.contains(where: Self.isControl) else {
            throw .refusedCookie
        }
        let read =
            switch strictness {
            case .grammar: SetCookieGrammar.read(text)
            case .userAgent: Self.readForgivingly(text)
            }
        guard let read else { throw .refusedCookie }
        self = read
    }

    private static func isControl(_ octet: UInt8) -> Bool { octet == 0x7F || (octet < 0x20 && octet != 0x09) }

    /// Section 5.2; nil when the field is to be ignored as a whole.
    static func readForgivingly(_ text: String) -> SetCookie? {
        let parts = text.utf8.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)
        guard let first = parts.first, let equals = first.firstIndex(of: UInt8(ascii: "=")) else { return nil }
        let name = trimmed(first[..<equals])
        guard !name.isEmpty else { return nil }
        var cookie = SetCookie(name: name, value: trimmed(first[first.index(after: equals)...]))
        for part in parts.dropFirst() {
            let pair = part.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            cookie.apply(attribute: trimmed(pair[0]), value: pair.count > 1 ? trimmed(pair[1]) : "")
        }
        return cookie
    }

    /// Section 5.2.1 to 5.2.6: of repeated attributes the last usable one counts, unknown ones are ignored.
    mutating func apply(attribute: String, value: String) {
        switch attribute.lowercased() {
        case "expires": expires = CookieDate.secondsSince1970(value) ?? expires
        case "max-age": maxAge = Self.deltaSeconds(value) ?? maxAge
        case "domain":
            let name = value.hasPrefix(".") ? String(value.dropFirst()) : value
            if !name.isEmpty { domain = name.lowercased() }
        case "path": path = value.hasPrefix("/") ? value : nil
        case "secure": isSecure = true
        case "httponly": isHTTPOnly = true
        default: break
        }
    }

    /// Digits, perhaps behind a minus sign; numbers that do not fit are moved to the nearer end.
    private static func deltaSeconds(_ text: String) -> Int64? {
        let isNegative = text.utf8.first == UInt8(ascii: "-")
        let digits = text.utf8.dropFirst(isNegative ? 1 : 0)
        guard !digits.isEmpty, digits.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else {
            return nil
        }
        return Int64(text) ?? (isNegative ? .min : .max)
    }

    private static func trimmed(_ octets: Substring.UTF8View) -> String {
        let isBlank = { (octet: UInt8) in octet == 0x20 || octet == 0x09 }
        guard let first = octets.firstIndex(where: { !isBlank($0) }),
            let last = octets.lastIndex(where: { !isBlank($0) })
        else { return "" }
        return String(Substring(octets[first...last]))
    }
}

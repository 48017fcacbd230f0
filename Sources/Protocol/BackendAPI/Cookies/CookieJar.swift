import Octets

/// The cookies of one operation: kept in memory, gone with it (RFC 6265, 5.3 and 5.4).
///
/// The jar has no clock: times are passed in, in seconds since 1970. It only ever serves TLS, so secure cookies are
/// always sent.
///
/// ```swift
/// var jar = CookieJar()
/// let cookie = try SetCookie(parsing: field, strictness: .userAgent)
/// _ = jar.store(cookie, host: "bank.example", path: "/auth/pwd", now: now)
/// let header = jar.fieldValue(host: "bank.example", path: "/auth/fidouaf", now: now)
/// ```
public struct CookieJar: Sendable {
    /// A cookie with what the jar noted when it came in.
    private struct Entry {
        let cookie: SetCookie
        let domain: String
        let isHostOnly: Bool
        let path: String
        let expires: Int64?

        func isSameCookie(as other: Entry) -> Bool {
            cookie.name.hasSameOctets(as: other.cookie.name) && domain == other.domain
                && path.hasSameOctets(as: other.path)
        }
    }

    private var entries: [Entry] = []

    /// Capacity of a jar; further cookies are refused, so that no server can fill the memory of a phone.
    public static let maximumCount = 64

    /// An empty jar.
    public init() {}

    /// Takes in a cookie that `host` set in the answer to a request for `path`.
    ///
    /// A cookie for another domain than the host's is ignored, and so is one for a domain of a single label; a cookie
    /// that has expired removes the one it stands for. Returns whether the jar holds the cookie now.
    @discardableResult
    public mutating func store(_ cookie: SetCookie, host: String, path: String, now: Int64) -> Bool {
        let host = host.lowercased()
        if let domain = cookie.domain, !domain.hasSameOctets(as: host) {
            guard domain.utf8.contains(UInt8(ascii: ".")), Self.host(host, isInside: domain) else { return false }
        }
        let entry = Entry(
            cookie: cookie, domain: cookie.domain ?? host, isHostOnly: cookie.domain == nil,
            path: cookie.path ?? Self.folder(of: path), expires: Self.expiry(of: cookie, now: now))
        entries.removeAll { $0.isSameCookie(as: entry) }
        if let expires = entry.expires, expires <= now { return false }
        guard entries.count < Self.maximumCount else { return false }
        entries.append(entry)
        return true
    }

    /// The cookies that a request to `host` for `path` carries, longer paths first.
    public func cookies(host: String, path: String, now: Int64) -> [SetCookie] {
        let host = host.lowercased()
        let path = Self.withoutQuery(path)
        let matching = entries.enumerated().filter { _, entry in
            (entry.expires.map { $0 > now } ?? true)
                && (host.hasSameOctets(as: entry.domain)
                    || (!entry.isHostOnly && Self.host(host, isInside: entry.domain)))
                && Self.path(path, isInside: entry.path)
        }
        return matching.sorted { one, other in
            let lengths = (one.element.path.utf8.count, other.element.path.utf8.count)
            return lengths.0 == lengths.1 ? one.offset < other.offset : lengths.0 > lengths.1
        }.map(\.element.cookie)
    }

    /// The value of the `Cookie` field of a request, nil when no cookie goes with it.
    public func fieldValue(host: String, path: String, now: Int64) -> String? {
        Self.fieldValue(cookies(host: host, path: path, now: now))
    }

    /// The value of a `Cookie` field that carries these cookies, nil for none.
    public static func fieldValue(_ cookies: [SetCookie]) -> String? {
        cookies.isEmpty ? nil : cookies.map { "\($0.name)=\($0.value)" }.joined(separator: "; ")
    }

    // MARK: - Matching

    private static func expiry(of cookie: SetCookie, now: Int64) -> Int64? {
        guard let maxAge = cookie.maxAge else { return cookie.expires }
        let (moment, overflow) = now.addingReportingOverflow(maxAge)
        return overflow ? (maxAge > 0 ? .max : .min) : moment
    }

    /// Section 5.1.3, the second half: never for addresses, whose last label is a number.
    private static func host(_ host: String, isInside domain: String) -> Bool {
        let (name, suffix) = (Array(host.utf8), Array(".\(domain)".utf8))
        guard name.count > suffix.count, name.suffix(suffix.count).elementsEqual(suffix) else { return false }
        let lastLabel = name.split(separator: UInt8(ascii: ".")).last ?? []
        return !lastLabel.contains(UInt8(ascii: ":"))
            && !lastLabel.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }

    /// Section 5.1.4.
    private static func path(_ path: String, isInside folder: String) -> Bool {
        let (path, folder) = (Array(path.utf8), Array(folder.utf8))
        guard path.starts(with: folder) else { return false }
        return path.count == folder.count || folder.last == UInt8(ascii: "/")
            || path[folder.count] == UInt8(ascii: "/")
    }

    /// Section 5.1.4: the default path.
    private static func folder(of path: String) -> String {
        let path = withoutQuery(path)
        guard path.utf8.first == UInt8(ascii: "/"), let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")),
            slash > path.startIndex
        else { return "/" }
        return String(path[..<slash])
    }

    private static func withoutQuery(_ path: String) -> String {
        String(decoding: path.utf8.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }, as: UTF8.self)
    }
}

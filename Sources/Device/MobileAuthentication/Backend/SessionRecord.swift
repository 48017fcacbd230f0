import BackendAPI
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The cookies and the token of one operation; they die with it.
struct SessionRecord: Sendable {
    private var jar = CookieJar()
    /// What the last answer set and the jar took: nothing for other hosts, and nothing that was deleted with it.
    private var lastCookies: [SetCookie] = []
    /// Whether a server has set anything during the operation.
    private var hasServerCookies = false

    init(_ credentials: SessionCredentials, now: Int64) {
        for entry in credentials.cookies {
            jar.store(entry.cookie, host: entry.host, path: entry.cookie.path ?? "/", now: now)
        }
    }

    /// The value of the `Cookie` field for a request.
    func cookieField(for url: URL, now: Int64) -> String? {
        guard let host = url.host() else { return nil }
        return jar.fieldValue(host: host, path: url.path(percentEncoded: true), now: now)
    }

    /// Takes the `Set-Cookie` fields of an answer; fields that are no cookies are ignored (RFC 6265, 5.2).
    mutating func take(_ fields: [String], from url: URL, now: Int64) {
        guard let host = url.host() else { return }
        let path = url.path(percentEncoded: true)
        let cookies = fields.compactMap { try? SetCookie(parsing: $0, strictness: .userAgent) }
        lastCookies = cookies.filter { jar.store($0, host: host, path: path, now: now) }
        if !lastCookies.isEmpty { hasServerCookies = true }
    }

    /// The cookies for the application: those of the last answer, else what the jar holds for the host.
    func cookies(for url: URL, now: Int64) -> [HTTPCookie] {
        guard let host = url.host() else { return [] }
        let held = jar.cookies(host: host, path: url.path(percentEncoded: true), now: now)
        let cookies = lastCookies.isEmpty ? held : lastCookies
        return cookies.compactMap { $0.record(host: host, now: now).cookie }
    }

    /// The cookies of a session that a server has opened during the operation.
    func openedCookies(for url: URL, now: Int64) -> [HTTPCookie]? {
        hasServerCookies ? cookies(for: url, now: now) : nil
    }
}

extension SetCookie {
    /// The properties of the cookie for Foundation.
    fileprivate func record(host: String, now: Int64) -> CookieRecord {
        let moment = maxAge.map { now.addingReportingOverflow($0) }.map { $0.overflow ? Int64.max : $0.partialValue }
        return CookieRecord(
            name: name, value: value, domain: domain.map { ".\($0)" } ?? host, path: path ?? "/",
            expires: (moment ?? expires).map { Date(timeIntervalSince1970: Double($0)) }, secure: isSecure,
            httpOnly: isHTTPOnly)
    }
}

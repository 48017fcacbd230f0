import BackendAPI
import Foundation
import Octets
import UAFClient

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Credentials that an application passed to authorize an operation, validated before anything is sent.
struct SessionCredentials: Sendable {
    /// A cookie with the host it belongs to.
    struct HostCookie: Sendable {
        let cookie: SetCookie
        let host: String
    }

    /// Sent as `Authorization: Bearer`.
    let token: Sensitive<String>?
    /// Added to the cookie jar of the operation.
    let cookies: [HostCookie]

    static let none = SessionCredentials(token: nil, cookies: [])

    private init(token: Sensitive<String>?, cookies: [HostCookie]) {
        self.token = token
        self.cookies = cookies
    }

    /// Reads an authorization provider; throws when a cookie or a token could not be sent as it is.
    init(_ provider: (any AuthorizationProvider)?) throws(CeremonyFailure) {
        switch provider {
        case let provider as CookieAuthorizationProvider: try self.init(cookies: provider.cookies)
        case let provider as JwtAuthorizationProvider: try self.init(token: provider.jwt)
        default: self = .none
        }
    }

    /// Reads a session provider; throws when a cookie or a token could not be sent as it is.
    init(_ provider: (any SessionProvider)?) throws(CeremonyFailure) {
        switch provider {
        case let provider as CookieSessionProvider: try self.init(cookies: provider.cookies)
        case let provider as JwtSessionProvider: try self.init(token: provider.jwt)
        default: self = .none
        }
    }

    /// RFC 6750 section 2.1: a bearer token has visible characters only.
    private init(token: String) throws(CeremonyFailure) {
        guard !token.isEmpty, token.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw .wrongUse(InvalidParameterError("jwt"))
        }
        self.init(token: Sensitive(token), cookies: [])
    }

    private init(cookies: [HTTPCookie]) throws(CeremonyFailure) {
        var checked: [HostCookie] = []
        for cookie in cookies where cookie.expiresDate.map({ $0.timeIntervalSinceNow > 0 }) ?? true {
            do throws(BackendAPIError) {
                checked.append(try HostCookie(cookie))
            } catch {
                throw .wrongUse(InvalidParameterError("cookies"))
            }
        }
        self.init(token: nil, cookies: checked)
    }
}

extension SessionCredentials.HostCookie {
    /// Converts a cookie of Foundation by the grammar for servers (RFC 6265 section 4.1.1).
    fileprivate init(_ cookie: HTTPCookie) throws(BackendAPIError) {
        let isForDomain = cookie.domain.hasPrefix(".")
        host = (isForDomain ? String(cookie.domain.dropFirst()) : cookie.domain).lowercased()
        var text = "\(cookie.name)=\(cookie.value)"
        if isForDomain { text += "; Domain=\(host)" }
        text += "; Path=\(cookie.path.isEmpty ? "/" : cookie.path)"
        if let seconds = cookie.expiresDate?.timeIntervalSinceNow {
            text += "; Max-Age=\(max(1, Int64(clamping: seconds)))"
        }
        self.cookie = try SetCookie(parsing: text, strictness: .grammar)
    }
}

extension Int64 {
    fileprivate init(clamping seconds: Double) {
        self = Int64(exactly: seconds.rounded(.down)) ?? (seconds > 0 ? .max : .min)
    }
}

/// Cookies of one operation, discarded with it.
struct SessionRecord: Sendable {
    private var jar = CookieJar()
    /// Cookies that the last response set and the jar accepted: none for other hosts, and none that the response
    /// deleted.
    private var lastCookies: [SetCookie] = []
    /// Whether a server has set anything during the operation.
    private var hasServerCookies = false

    init(_ credentials: SessionCredentials, now: Int64) {
        for entry in credentials.cookies {
            jar.store(entry.cookie, host: entry.host, path: entry.cookie.path ?? "/", now: now)
        }
    }

    func cookieField(for url: URL, now: Int64) -> String? {
        guard let host = url.host() else { return nil }
        return jar.fieldValue(host: host, path: url.path(percentEncoded: true), now: now)
    }

    /// Stores the `Set-Cookie` fields of a response; fields that are no cookies are ignored (RFC 6265 section 5.2).
    mutating func take(_ fields: [String], from url: URL, now: Int64) {
        guard let host = url.host() else { return }
        let path = url.path(percentEncoded: true)
        let cookies = fields.compactMap { try? SetCookie(parsing: $0, strictness: .userAgent) }
        lastCookies = cookies.filter { jar.store($0, host: host, path: path, now: now) }
        if !lastCookies.isEmpty { hasServerCookies = true }
    }

    /// The cookies for the application: from the last response, else what the jar holds for the host.
    func cookies(for url: URL, now: Int64) -> [HTTPCookie] {
        guard let host = url.host() else { return [] }
        let held = jar.cookies(host: host, path: url.path(percentEncoded: true), now: now)
        let cookies = lastCookies.isEmpty ? held : lastCookies
        return cookies.compactMap { $0.record(host: host, now: now).cookie }
    }

    func openedCookies(for url: URL, now: Int64) -> [HTTPCookie]? {
        hasServerCookies ? cookies(for: url, now: now) : nil
    }
}

extension SetCookie {
    fileprivate func record(host: String, now: Int64) -> CookieRecord {
        let moment = maxAge.map { now.addingReportingOverflow($0) }.map { $0.overflow ? Int64.max : $0.partialValue }
        return CookieRecord(
            name: name, value: value, domain: domain.map { ".\($0)" } ?? host, path: path ?? "/",
            expires: (moment ?? expires).map { Date(timeIntervalSince1970: Double($0)) }, secure: isSecure,
            httpOnly: isHTTPOnly)
    }
}

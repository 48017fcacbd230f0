import BackendAPI
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// What an application handed in to show that an operation is allowed, checked before anything is sent.
struct SessionCredentials: Sendable {
    /// A cookie with the host it belongs to.
    struct HostCookie: Sendable {
        let cookie: SetCookie
        let host: String
    }

    /// Sent as `Authorization: Bearer`.
    let token: String?
    /// Put into the jar of the operation.
    let cookies: [HostCookie]

    static let none = SessionCredentials(token: nil, cookies: [])

    private init(token: String?, cookies: [HostCookie]) {
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

    /// RFC 6750, 2.1: a bearer token has visible characters only.
    private init(token: String) throws(CeremonyFailure) {
        guard !token.isEmpty, token.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw .wrongUse(InvalidParameterError("jwt"))
        }
        self.init(token: token, cookies: [])
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
    /// Takes a cookie of Foundation by the grammar for servers (RFC 6265, 4.1.1).
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
    /// The nearest whole number that fits.
    fileprivate init(clamping seconds: Double) {
        self = Int64(exactly: seconds.rounded(.down)) ?? (seconds > 0 ? .max : .min)
    }
}

import HTTPTypes
import SignInPages

/// Header fields of pages.
enum PageHeaders {
    /// Fields of a page: its policy, and those that keep it out of frames, caches and the address of other sites.
    static func fields(of page: PageAnswer) -> HTTPFields {
        var headers: HTTPFields = [
            .cacheControl: "no-store", .contentSecurityPolicy: page.contentSecurityPolicy,
            .contentLanguage: page.language.rawValue, .vary: "Accept-Language, Cookie",
        ]
        set("Permissions-Policy", page.permissionsPolicy, in: &headers)
        protect(&headers)
        return headers
    }

    static func set(_ name: String, _ value: String, in headers: inout HTTPFields) {
        guard let name = HTTPField.Name(name) else { return }
        headers[name] = value
    }

    /// Sets the fields that protect a page.
    ///
    /// `Referrer-Policy` is `same-origin`: under `no-referrer` browsers send `Origin: null` with a form (Fetch, 3.2).
    static func protect(_ headers: inout HTTPFields) {
        set("Referrer-Policy", "same-origin", in: &headers)
        set("Cross-Origin-Opener-Policy", "same-origin", in: &headers)
        set("Cross-Origin-Resource-Policy", "same-origin", in: &headers)
        set("X-Frame-Options", "DENY", in: &headers)
    }
}

import HTTPTypes

/// Headers that every answer carries.
enum SecurityHeaders {
    /// Adds what is not there yet.
    static func apply(to headers: inout HTTPFields) {
        headers[.xContentTypeOptions] = "nosniff"
        headers[.strictTransportSecurity] = "max-age=31536000"
        if headers[.contentSecurityPolicy] == nil {
            headers[.contentSecurityPolicy] = "default-src 'none'; frame-ancestors 'none'"
        }
        if headers[.cacheControl] == nil { headers[.cacheControl] = "no-store" }
    }
}

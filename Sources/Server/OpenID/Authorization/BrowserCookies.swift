package import Octets

/// Cookies of a browser at the provider; nil for each that it does not have.
package struct BrowserCookies: Sendable, Hashable {
    /// Name of the cookie that binds sign-ins to a browser.
    package static let browserName = "__Host-signet-browser"
    package static let providerName = "__Host-signet-provider"

    /// Name of the cookie that only a browser with the key of its session gets.
    package static let boundName = "__Host-signet-bound"

    /// Name of the cookie that shows a recovery, and opens nothing else.
    package static let recoveryName = "__Host-signet-recovery"

    package let browser: Sensitive<String>?
    package let provider: Sensitive<String>?
    package let recovery: Sensitive<String>?
    package let bound: Sensitive<String>?

    package init(
        browser: Sensitive<String>?, provider: Sensitive<String>?, recovery: Sensitive<String>? = nil,
        bound: Sensitive<String>? = nil
    ) {
        self.browser = browser
        self.provider = provider
        self.recovery = recovery
        self.bound = bound
    }
}

import UAF

/// Everything an operator decides, as typed values; the defaults serve a trial on one machine.
package struct ServerSettings: Sendable {
    /// Name of this server process, the `chainId` of its audit records; distinct among processes that share a database.
    package var instanceName = "main"
    /// FIDO UAF: application, facets, policies, life times.
    package var uaf: UAFSettings
    /// Who may ask for what.
    package var authorization = AuthorizationSettings()
    /// Tokens given out and taken.
    package var tokens: TokenSettings
    /// Login sessions held by cookies.
    package var sessions = SessionSettings()
    /// Operations that are answered on another device than they begin on.
    package var outOfBand: OutOfBandSettings
    /// Login by password; nil switches it off.
    package var passwordLogin: PasswordLoginSettings?
    /// Age at which records of this process's audit chain are removed; nil keeps them.
    package var auditRetention: Duration?
    /// Whether the adapter of the FIDO conformance tool answers (`/get`, `/respond`).
    package var conformance = false

    /// Settings with the defaults for all that is not named.
    package init(uaf: UAFSettings, tokens: TokenSettings) {
        self.uaf = uaf
        self.tokens = tokens
        outOfBand = OutOfBandSettings(origin: Self.origin(of: uaf.appID))
    }

    /// Scheme and host of the application's address: where clients reach the service unless something else is set.
    private static func origin(of appID: AppID) -> String {
        let parts = appID.text.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
        return parts.prefix(3).joined(separator: "/")
    }
}

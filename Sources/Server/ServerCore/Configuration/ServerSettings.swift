import UAF

/// Everything an operator decides, as typed values; the defaults serve a trial on one machine.
package struct ServerSettings: Sendable {
    /// Name of the server, the `chainId` of its audit records, which all its processes on a database share.
    package var instanceName = "main"
    package var uaf: UAFSettings
    package var authorization = AuthorizationSettings()
    package var tokens: TokenSettings
    package var sessions = SessionSettings()
    package var outOfBand: OutOfBandSettings
    /// Login by password; nil switches it off.
    package var passwordLogin: PasswordLoginSettings?
    /// Age at which records of this audit chain are removed; nil keeps them.
    package var auditRetention: Duration?
    /// Whether the adapter of the FIDO conformance tool answers (`/get`, `/respond`).
    package var conformance = false
    package var receipts = ReceiptSettings()
    package var deadLetterRetention: Duration = .seconds(14 * 86_400)
    /// Life of a sign-in page of the OpenID Provider, for which attempts to open one count; zero without a provider.
    package var signInPageLifetime: Duration = .zero

    package static let idempotentAnswerRetention: Duration = .seconds(86_400)

    /// Time for which the names of a removed user are remembered: longer than any token lives that names the user.
    package static let removedNameMemory: Duration = .seconds(86_400)

    /// Time for which the removal of a method of sign-in is remembered: the longest `removal-wait`.
    package static let removedMethodMemory: Duration = .seconds(7 * 86_400)

    /// Least time for which attempts are counted: of recoveries, and of exports by people.
    package static let attemptMemory: Duration = .seconds(3_600)

    /// Time for which a consumed challenge is remembered after its expiry.
    package static let consumptionMemory: Duration = .seconds(600)

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

extension ServerSettings {
    /// Throws ``ServerError/invalidSetting(name:)`` for the first value that the services cannot work with.
    package func requireSound() throws(ServerError) {
        guard !instanceName.isEmpty, instanceName.utf8.count <= 128 else {
            throw .invalidSetting(name: "instance-name")
        }
        // The state of a ceremony holds the appID and must fit into 1536 characters.
        guard uaf.appID.text.utf8.count <= 512, uaf.appID.text.utf8.starts(with: "https://".utf8) else {
            throw .invalidSetting(name: "app-id")
        }
        guard UAFSettings.responseLifetimes.contains(uaf.responseLifetime) else {
            throw .invalidSetting(name: "response-lifetime")
        }
        guard (1...16_384).contains(uaf.transactionMaximumByteCount) else {
            throw .invalidSetting(name: "transaction-max-bytes")
        }
        guard (1...100).contains(authorization.maximumCredentialCount) else {
            throw .invalidSetting(name: "maximum-credentials")
        }
        // Where anyone may add a key, no method keeps the weaker ones out.
        if authorization.removalWait != nil {
            guard authorization.registration == .required else { throw .invalidSetting(name: "registration") }
            guard authorization.additionalCredential == .uafLogin else {
                throw .invalidSetting(name: "additional-credential")
            }
        }
        guard tokens.lifetime > .zero, tokens.lifetime <= TokenSettings.maximumLifetime else {
            throw .invalidSetting(name: "token-lifetime")
        }
        guard !tokens.issuer.isEmpty, !tokens.audience.isEmpty else { throw .invalidSetting(name: "token-issuer") }
        guard sessions.lifetime > .zero else { throw .invalidSetting(name: "session-lifetime") }
        try outOfBand.requireSound()
        try uaf.appAttestation.requireSound()
    }
}

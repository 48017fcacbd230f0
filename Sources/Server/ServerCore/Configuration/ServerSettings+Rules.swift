import UAF

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
        guard tokens.lifetime > .zero, tokens.lifetime <= TokenSettings.maximumLifetime else {
            throw .invalidSetting(name: "token-lifetime")
        }
        guard !tokens.issuer.isEmpty, !tokens.audience.isEmpty else { throw .invalidSetting(name: "token-issuer") }
        guard sessions.lifetime > .zero else { throw .invalidSetting(name: "session-lifetime") }
        try outOfBand.requireSound()
    }
}

package import ServerCore
package import UAF

extension Deployment {
    /// The settings of the services, with the defaults that depend on the metadata and the origin filled in.
    ///
    /// `origin` is where clients reach the service, such as `https://localhost:8443`. Throws
    /// ``ServerError/invalidSetting(name:)``.
    package func serverSettings(metadata: MetadataCatalog, origin: String) throws(ServerError) -> ServerSettings {
        guard let appID = uaf.appID ?? AppID(origin + "/nevisfido/uaf/1.1/facets") else {
            throw .invalidSetting(name: "app-id")
        }
        var uafSettings = UAFSettings(appID: appID, facets: uaf.facets, policies: try policies(metadata))
        uafSettings.responseLifetime = uaf.responseLifetime
        uafSettings.transactionMaximumByteCount = uaf.transactionMaximumByteCount
        uafSettings.hidesUnknownUsers = uaf.hidesUnknownUsers
        uafSettings.revokedAAIDs = uaf.revokedAAIDs
        uafSettings.verification = uaf.verification
        uafSettings.additionalAlgorithms = uaf.additionalAlgorithms
        let issuer = tokens.issuer ?? origin
        var tokenSettings = TokenSettings(issuer: issuer, audience: tokens.audience ?? issuer)
        tokenSettings.lifetime = tokens.lifetime
        tokenSettings.clockTolerance = tokens.clockTolerance
        tokenSettings.trustedIssuers = tokens.trustedIssuers
        var settings = ServerSettings(uaf: uafSettings, tokens: tokenSettings)
        settings.instanceName = instanceName
        settings.auditRetention = auditRetention
        settings.authorization = authorization
        settings.sessions = sessions
        settings.outOfBand = outOfBandSettings(origin: origin)
        settings.passwordLogin = passwordLogin
        settings.conformance = conformance
        try settings.requireSound()
        return settings
    }

    /// The settings of out-of-band operations, with what the dispatchers add to them.
    private func outOfBandSettings(origin: String) -> OutOfBandSettings {
        var settings = outOfBand
        settings.origin = origin
        for dispatcher in uaf.dispatchers {
            settings.redeemAddresses[dispatcher.name] = dispatcher.redeemAddresses
            if case .firebaseCloudMessaging(let firebase) = dispatcher.channel {
                settings.removesUnregisteredClients = firebase.removesUnregisteredClients
            }
        }
        return settings
    }

    private func policies(_ metadata: MetadataCatalog) throws(ServerError) -> PolicyCatalog {
        guard !uaf.policies.isEmpty else { return try PolicyCatalog(acceptingModelsOf: metadata) }
        return try PolicyCatalog(uaf.policies.mapValues(\.policy), defaultName: uaf.defaultPolicy)
    }
}

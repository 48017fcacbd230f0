package import OpenID
package import ServerCore
package import StrictYAML
package import UAF
package import UAFService

/// Everything an operator decides about one server.
package struct Deployment: Sendable {
    /// Strictness of the configuration and its checks.
    package enum Profile: String, CaseIterable, Sendable {
        /// For trying things out: facets that look like wildcards, and match nothing, pass with a warning.
        case development
        /// Facets that look like wildcards and plain HTTP are refused.
        case production
    }

    /// Standard whose requirements on a verifier the configuration has to meet.
    package enum AssuranceProfile: String, CaseIterable, Sendable {
        /// NIST SP 800-63B-4 at AAL2.
        case nist = "nist-800-63b-4"
        /// NIST SP 800-63B-4 at AAL3.
        case nistAAL3 = "nist-800-63b-4-aal3"
        /// Strong customer authentication: Delegated Regulation (EU) 2018/389.
        case psd2 = "psd2-sca"
    }

    /// Least severe level that is logged, named as in swift-log.
    package enum LogLevel: String, CaseIterable, Sendable {
        case trace, debug, info, notice, warning, error, critical
    }

    /// Form of the log lines.
    package enum LogFormat: String, CaseIterable, Sendable {
        /// Lines for a person in a terminal, JSON elsewhere.
        case automatic
        case text
        /// One JSON object on each line.
        case json
    }

    package var profile: Profile
    /// Standards that the configuration names; each asks for the production profile.
    package var assuranceProfiles: Set<AssuranceProfile>
    /// Folder of database, keys and the server's own certificate; made with mode 0700.
    package var dataDirectory: String
    /// File of the key that wraps all keys in the database; made with mode 0600 if absent.
    package var masterKeyFile: String
    package var database: DatabaseDeployment
    package var logLevel: LogLevel
    package var logFormat: LogFormat
    package var http: HTTPSettings
    /// Name of the audit chain, which all server processes of this name on a database share.
    package var instanceName: String
    /// Age at which records of this audit chain are removed; nil keeps them.
    package var auditRetention: Duration?
    /// Syslog server that is sent the audit; nil for none.
    package var syslog: SyslogSettings?
    package var uaf: UAFDeployment
    package var authorization: AuthorizationSettings
    package var tokens: TokenDeployment
    package var sessions: SessionSettings
    /// Operations that are answered on another device; the origin is filled in when it is known.
    package var outOfBand: OutOfBandSettings
    package var passwordLogin: PasswordLoginSettings?
    /// Whether the routes of the FIDO conformance tool answer.
    package var conformance: Bool
    package var webSites: OpenIDSettings
    /// Time between two looks at the files that are read again while the server runs.
    package var reloadInterval: Duration
}

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
        uafSettings.attestationRoots = uaf.attestationRoots
        uafSettings.appAttestation = uaf.appAttestation
        uafSettings.applications = uaf.applications
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
        settings.authorization.removalWait = webSites.openID?.removalWait
        settings.sessions = sessions
        settings.outOfBand = outOfBand
        settings.outOfBand.origin = origin
        settings.outOfBand.hasOwnUsers = webSites.hasOwnUsers
        settings.passwordLogin = passwordLogin
        settings.conformance = conformance
        settings.receipts = webSites.receipts
        settings.deadLetterRetention = webSites.outgoing.deadLetterRetention
        settings.signInPageLifetime = webSites.openID?.sessionLifetime ?? .zero
        try settings.requireSound()
        return settings
    }

    private func policies(_ metadata: MetadataCatalog) throws(ServerError) -> PolicyCatalog {
        guard !uaf.policies.isEmpty else { return try PolicyCatalog(acceptingModelsOf: metadata) }
        return try PolicyCatalog(
            uaf.policies.mapValues(\.policy), defaultName: uaf.defaultPolicy,
            keyAttestation: uaf.policies.mapValues(\.keyAttestation), demands: uaf.policies.mapValues(\.demands))
    }
}

extension Deployment {
    /// Acceptance rules of this configuration and of the metadata that it names.
    ///
    /// `origin` is where clients reach the service. Throws ``ServerError/invalidMetadata(name:_:)`` or
    /// ``ServerError/invalidSetting(name:)``.
    package func acceptance(from files: any FileReading, origin: String) throws(ServerError) -> Acceptance {
        let metadata = try metadata(from: files)
        return try Acceptance(metadata: metadata, settings: serverSettings(metadata: metadata, origin: origin).uaf)
    }

    /// The statements of all metadata files, or the product's own when there are no files.
    package func metadata(from files: any FileReading) throws(ServerError) -> MetadataCatalog {
        let documents = try metadataDocuments(from: files)
        return documents.isEmpty ? .product : try MetadataCatalog(documents: documents)
    }

    package func metadataDocuments(from files: any FileReading) throws(ServerError) -> [MetadataDocument] {
        var documents: [MetadataDocument] = []
        for path in uaf.metadataFiles {
            guard let content = files.contents(of: path) else { throw .invalidMetadata(name: path, .unreadable) }
            documents.append(MetadataDocument(name: path, content: content))
        }
        return documents
    }

    package func settingsNeedingRestart(since running: Deployment) -> [String] {
        let running = running.withRights(of: self)
        let isSame: KeyValuePairs<String, Bool> = [
            "profile": profile == running.profile && assuranceProfiles == running.assuranceProfiles,
            "data-directory": dataDirectory == running.dataDirectory,
            "master-key-file": masterKeyFile == running.masterKeyFile,
            "instance-name": instanceName == running.instanceName,
            "audit": auditRetention == running.auditRetention && syslog == running.syslog,
            "database": database == running.database,
            "log": logLevel == running.logLevel && logFormat == running.logFormat,
            "server": http.isSameService(as: running.http),
            "management": http.management.isSameListener(as: running.http.management),
            "administration": http.administration == running.http.administration,
            "fido-uaf.app-id": uaf.appID == running.uaf.appID,
            "fido-uaf.timeouts": uaf.responseLifetime == running.uaf.responseLifetime,
            "fido-uaf.transaction-max-bytes":
                uaf.transactionMaximumByteCount == running.uaf.transactionMaximumByteCount,
            "fido-uaf.channel-binding": uaf.verification.channelBinding == running.uaf.verification.channelBinding,
            "fido-uaf.server-binding": uaf.verification.hasSameServerBinding(as: running.uaf.verification),
            "fido-uaf.refuse-outdated-authenticators":
                uaf.verification.refusesOutdatedAuthenticators
                == running.uaf.verification.refusesOutdatedAuthenticators,
            "fido-uaf.max-registration-counter":
                uaf.verification.registrationCounterLimit == running.uaf.verification.registrationCounterLimit,
            "fido-uaf.hide-unknown-users": uaf.hidesUnknownUsers == running.uaf.hidesUnknownUsers,
            "authorization": authorization == running.authorization,
            "tokens": tokens == running.tokens,
            "sessions": sessions == running.sessions,
            "out-of-band": outOfBand == running.outOfBand,
            "password-login": passwordLogin == running.passwordLogin,
            "conformance": conformance == running.conformance,
            "openid": webSites.openID == running.webSites.openID,
            "receipts": webSites.receipts == running.webSites.receipts,
            "webhooks": webSites.webhooks == running.webSites.webhooks,
            "outgoing": webSites.outgoing == running.webSites.outgoing,
            "relying-party-api": webSites.hasSameGateway(as: running.webSites),
            "pages": webSites.pages == running.webSites.pages,
            "recovery": webSites.recovery == running.webSites.recovery,
            "reload": reloadInterval == running.reloadInterval,
        ]
        return isSame.filter { !$0.value }.map(\.key)
    }
}

extension OpenIDSettings {
    fileprivate func hasSameGateway(as other: OpenIDSettings) -> Bool {
        hasRelyingPartyAPI == other.hasRelyingPartyAPI && hasOwnUsers == other.hasOwnUsers
    }
}

extension Deployment {
    /// The deployment with the lists of rights of another one, which a running server takes up.
    private func withRights(of other: Deployment) -> Deployment {
        var deployment = self
        deployment.outOfBand.accessKeys = other.outOfBand.accessKeys
        deployment.tokens.trustedIssuers = other.tokens.trustedIssuers
        deployment.webSites.openID?.clients = other.webSites.openID?.clients ?? []
        deployment.http.administration?.people = other.http.administration?.people ?? [:]
        return deployment
    }
}

extension VerificationSettings {
    fileprivate func hasSameServerBinding(as other: VerificationSettings) -> Bool {
        serverBinding == other.serverBinding && additionalOrigins == other.additionalOrigins
    }
}

extension ManagementSettings {
    /// Whether a running listener can become this one: another token in the file is taken up.
    fileprivate func isSameListener(as other: ManagementSettings) -> Bool {
        place == other.place && security == other.security && token?.file == other.token?.file
    }
}

extension HTTPSettings {
    fileprivate func isSameService(as other: HTTPSettings) -> Bool {
        var other = other
        other.management = management
        return self == other
    }
}

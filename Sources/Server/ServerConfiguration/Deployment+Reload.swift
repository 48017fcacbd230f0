package import ServerCore
package import UAF

extension Deployment {
    /// What the server accepts by this configuration and the metadata that it names.
    ///
    /// `origin` is where clients reach the service. Throws ``ServerError/invalidMetadata(name:_:)`` or
    /// ``ServerError/invalidSetting(name:)``.
    package func acceptance(from files: any FileReading, origin: String) throws(ServerError) -> Acceptance {
        let metadata = try metadata(from: files)
        return try Acceptance(metadata: metadata, settings: serverSettings(metadata: metadata, origin: origin).uaf)
    }

    /// The statements of all metadata files, or those of the product when there are no files.
    package func metadata(from files: any FileReading) throws(ServerError) -> MetadataCatalog {
        guard !uaf.metadataFiles.isEmpty else { return .product }
        var documents: [MetadataDocument] = []
        for path in uaf.metadataFiles {
            guard let content = files.contents(of: path) else { throw .invalidMetadata(name: path, .unreadable) }
            documents.append(MetadataDocument(name: path, content: content))
        }
        return try MetadataCatalog(documents: documents)
    }

    /// The settings in which this configuration differs from the one that runs and that only a restart takes up.
    package func settingsNeedingRestart(since running: Deployment) -> [String] {
        let isSame: KeyValuePairs<String, Bool> = [
            "profile": profile == running.profile,
            "data-directory": dataDirectory == running.dataDirectory,
            "master-key-file": masterKeyFile == running.masterKeyFile,
            "instance-name": instanceName == running.instanceName,
            "audit": auditRetention == running.auditRetention,
            "database": databaseFile == running.databaseFile,
            "log": logLevel == running.logLevel && logFormat == running.logFormat,
            "server": http.isSameService(as: running.http),
            "management": http.management == running.http.management,
            "fido-uaf.app-id": uaf.appID == running.uaf.appID,
            "fido-uaf.timeouts": uaf.responseLifetime == running.uaf.responseLifetime,
            "fido-uaf.transaction-max-bytes":
                uaf.transactionMaximumByteCount == running.uaf.transactionMaximumByteCount,
            "fido-uaf.channel-binding": uaf.verification == running.uaf.verification,
            "fido-uaf.dispatchers": uaf.dispatchers == running.uaf.dispatchers,
            "fido-uaf.hide-unknown-users": uaf.hidesUnknownUsers == running.uaf.hidesUnknownUsers,
            "authorization": authorization == running.authorization,
            "tokens": tokens == running.tokens,
            "sessions": sessions == running.sessions,
            "out-of-band": outOfBand == running.outOfBand,
            "password-login": passwordLogin == running.passwordLogin,
            "conformance": conformance == running.conformance,
            "reload": reloadInterval == running.reloadInterval,
        ]
        return isSame.filter { !$0.value }.map(\.key)
    }
}

extension HTTPSettings {
    fileprivate func isSameService(as other: HTTPSettings) -> Bool {
        var other = other
        other.management = management
        return self == other
    }
}

import CommandSupport
import Foundation
import Logging
import OpenID
import ServerCommandSupport
import ServerConfiguration
import ServerCore
import ServerHTTP
import Synchronization
import UAF
import UAFService
import WebAuthn

/// Watch over configuration, metadata, keys and certificates: detects changes of the files and applies them to the
/// running services.
///
/// The caller decides when to check, so no clock is needed. Unusable files are reported once and change nothing.
struct DeploymentWatch {
    private typealias Stamps = [String: FileStamp]

    /// Parts of a running server that take up changes.
    struct Parts {
        let services: ServerServices
        var certificates: ServedCertificates
        var door = ManagementDoor()
        /// Nil without a provider.
        var clients: ConfiguredClients?
        var passkeyModels = PasskeyModels()
        var pushes = DispatchRecord()
        var people = AdministrationPeople()
    }

    private let file: ConfigurationFile
    private let running: Deployment
    private let origin: String
    private var parts: Parts
    private let logger: Logger
    /// Mistake in the files when they were last read.
    let mistake = ReloadMistake()
    /// Configuration that was taken up last.
    private var taken: Deployment
    /// Files that were read for it, and for what was wrong since.
    private var paths: Set<String> = []
    private var seen: Stamps?
    /// Stamps of the files when they were last read.
    private var read: Stamps?
    private var unusedSettings: [String] = []

    /// `running` is the configuration with which the server started, and `origin` is where clients reach it.
    init(_ file: ConfigurationFile, running: Deployment, origin: String, parts: Parts, logger: Logger) {
        self.file = file
        self.running = running
        self.origin = origin
        self.parts = parts
        self.logger = logger
        taken = running
    }

    /// Checks the files, and reads them when they have changed or were unusable.
    ///
    /// Files that are still being written are not read: two consecutive checks have to find the same stamps. With each
    /// check a certificate that no connection has any more begins to be forgotten.
    mutating func look() async {
        // What cannot be read any more is told when the files are taken.
        try? parts.certificates.refresh()
        let (now, before) = (stamps, seen)
        seen = now
        guard now == before, now != read || mistake.text != nil else { return }
        await take(now, isOrdered: false)
    }

    /// Reads the files, whether they have changed or not.
    mutating func reload() async {
        await take(stamps, isOrdered: true)
    }

    private mutating func take(_ now: Stamps, isOrdered: Bool) async {
        let files = NotedFiles()
        do {
            try await takeUp(files, isOrdered: isOrdered)
        } catch {
            complain(CommandFailure(serving: error).message, isNews: isOrdered || now != read)
        }
        paths.formUnion(files.paths)
        // A file that has changed since is read again.
        read = stamps.merging(now) { _, before in before }
        seen = read
    }

    /// Everything that can be wrong is found out before the first change; rights that were taken away end last, but at once.
    private mutating func takeUp(_ files: NotedFiles, isOrdered: Bool) async throws {
        let deployment = try file.deployment(reading: files)
        // Facets that only another profile allows must not reach a server that runs under this one.
        guard deployment.profile == running.profile, deployment.assuranceProfiles == running.assuranceProfiles else {
            throw CommandFailure.local("profileChanged", "another profile needs a restart of the server")
        }
        let acceptance = try deployment.acceptance(from: files, origin: origin)
        try ProfileReview.requireNone(in: deployment, acceptance.metadata)
        let models = try await deployment.passkeyMetadata(
            from: files, at: Date(), afterUseOf: parts.passkeyModels.current)
        let issuers = try TrustedIssuers.Keys(deployment.tokens.trustedIssuers)
        let dispatchers = try parts.pushes.open(deployment.uaf.dispatchers, files: files, logger: logger)
        if try parts.certificates.reload(deployment) { logger.notice("certificate replaced") }
        if let token = deployment.http.management.token, parts.door.replaceToken(with: token.hash) {
            logger.notice("management token replaced")
        }
        let services = parts.services
        let change = try await services.acceptance.replace(with: acceptance)
        try await parts.clients?.takeUp(deployment)
        services.tokens.trusted.replace(with: issuers)
        services.ports.dispatchers.replace(with: dispatchers)
        services.authorization.accessKeys.replace(with: deployment.outOfBand.accessKeys)
        parts.people.replace(with: deployment.http.administration?.people ?? [:])
        if deployment.http.administration?.people != taken.http.administration?.people {
            await parts.people.warnOfStrangers(among: services, logger)
        }
        if deployment.outOfBand.accessKeys != taken.outOfBand.accessKeys { services.statusNotifier.wakeAll() }
        let rights = RightsChange(from: taken, to: deployment)
        let hasNewModels = takeUp(models)
        if isOrdered || mistake.text != nil || !change.isEmpty || !rights.names.isEmpty || hasNewModels {
            announce(acceptance, change, rights)
        }
        mistake.replace(with: nil)
        taken = deployment
        warn(of: deployment.settingsNeedingRestart(since: running))
    }

    /// Takes up a list of models; false where it is the one in use.
    ///
    /// That there is none any more is for a restart.
    private func takeUp(_ models: PasskeyMetadata?) -> Bool {
        guard let models, models != parts.passkeyModels.current else { return false }
        parts.passkeyModels.replace(with: models)
        return true
    }

    /// Stamps of the files that were read, of the metadata folder and everything in it, and of the certificates.
    private var stamps: Stamps {
        var paths = paths.union([file.path, taken.uaf.metadataPath].compactMap(\.self))
        paths.formUnion(parts.certificates.paths)
        if let metadataPath = taken.uaf.metadataPath, let names = PosixFiles().names(in: metadataPath) {
            paths.formUnion(names.map { metadataPath + "/" + $0 })
        }
        return Dictionary(paths.compactMap { path in FileStamp(of: path).map { (path, $0) } }) { first, _ in first }
    }

    // MARK: - Log

    private func announce(_ acceptance: Acceptance, _ change: AcceptanceChange, _ rights: RightsChange) {
        var fields: Logger.Metadata = [
            "models": .stringConvertible(acceptance.metadata.statements.count),
            "facets": .stringConvertible(acceptance.facets.count),
        ]
        if let list = parts.passkeyModels.current { fields["passkeyMetadata"] = .stringConvertible(list.number) }
        let changes: KeyValuePairs<String, [String]> = [
            "addedModels": change.addedModels.map(\.text), "removedModels": change.removedModels.map(\.text),
            "changedModels": change.changedModels.map(\.text),
            "changedRevocations": change.changedRevocations.map(\.text),
            "addedFacets": change.addedFacets.map(\.text), "removedFacets": change.removedFacets.map(\.text),
            "changedPolicies": change.changedPolicies.map(\.text),
            "changedAttestations": change.changedAttestations,
            "changedApplications": change.changedApplications.map(\.text),
        ]
        for (name, values) in Array(changes) + rights.names where !values.isEmpty {
            fields[name] = "\(values.joined(separator: ", "))"
        }
        logger.notice("reloaded", metadata: fields)
    }

    private mutating func warn(of settings: [String]) {
        defer { unusedSettings = settings }
        guard !settings.isEmpty, settings != unusedSettings else { return }
        logger.warning("restart needed", metadata: ["settings": "\(settings.joined(separator: ", "))"])
    }

    private func complain(_ message: String, isNews: Bool) {
        guard isNews || message != mistake.text else { return }
        mistake.replace(with: message)
        logger.error("not reloaded, what was read before stays in use", metadata: ["error": "\(message)"])
    }
}

/// Mistake for which the files of the configuration were not taken up; nil while there is none.
final class ReloadMistake: Sendable {
    private let mistake = Mutex<String?>(nil)

    var text: String? { mistake.withLock { $0 } }

    func replace(with text: String?) { mistake.withLock { $0 = text } }
}

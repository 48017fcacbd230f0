import CommandSupport
import Foundation
import Logging
import ServerCommandSupport
import ServerConfiguration
import ServerCore
import ServerHTTP
import UAF
import UAFService

/// ReloadService of configuration, metadata and certificates: detects changes of the files and applies them to the running
/// services.
///
/// The caller decides when to check, so no clock is needed. Unusable files are reported once and change nothing.
struct DeploymentWatch {
    private typealias Stamps = [String: FileStamp]

    private let file: ConfigurationFile
    private let running: Deployment
    private let origin: String
    private let services: ServerServices
    private let logger: Logger
    private var certificates: ServedCertificates
    private let door: ManagementDoor
    private var metadataPath: String?
    private var seen: Stamps?
    /// Stamps of the files when they were last read.
    private var read: Stamps?
    /// Mistake in the files when they were last read; nil when they were valid.
    private var complaint: String?
    private var unusedSettings: [String] = []

    /// `running` is the configuration with which the server started, `origin` is where clients reach it, and `door` is where
    /// the management listener is reached.
    init(
        _ file: ConfigurationFile, running: Deployment, origin: String, services: ServerServices,
        certificates: ServedCertificates, door: ManagementDoor = ManagementDoor(), logger: Logger
    ) {
        self.door = door
        self.certificates = certificates
        self.file = file
        self.running = running
        self.origin = origin
        self.services = services
        self.logger = logger
        metadataPath = running.uaf.metadataPath
    }

    /// Checks the files, and reads them when they have changed or were unusable.
    ///
    /// Files that are still being written are not read: two consecutive checks have to find the same stamps. With each
    /// check a certificate that no connection has any more begins to be forgotten.
    mutating func look() async {
        // What cannot be read any more is told when the files are taken.
        try? certificates.refresh()
        let now = stamps
        defer { seen = now }
        guard now == seen, now != read || complaint != nil else { return }
        await take(now, isOrdered: false)
    }

    /// Reads the files, whether they have changed or not.
    mutating func reload() async {
        await take(stamps, isOrdered: true)
    }

    private mutating func take(_ now: Stamps, isOrdered: Bool) async {
        defer { read = now }
        do {
            let deployment = try file.deployment()
            // Facets that only another profile allows must not reach a server that runs under this one.
            guard deployment.profile == running.profile else {
                throw CommandFailure.local("profileChanged", "another profile needs a restart of the server")
            }
            let acceptance = try deployment.acceptance(from: PosixFiles(), origin: origin)
            let isReplaced = try certificates.reload(deployment)
            if isReplaced { logger.notice("certificate replaced") }
            if let token = deployment.http.management.token, door.replaceToken(with: token.hash) {
                logger.notice("management token replaced")
            }
            let change = try await services.acceptance.replace(with: acceptance)
            if isOrdered || complaint != nil || !change.isEmpty { announce(acceptance, change) }
            complaint = nil
            metadataPath = deployment.uaf.metadataPath
            warn(of: deployment.settingsNeedingRestart(since: running))
        } catch {
            complain(CommandFailure(serving: error).message, isNews: isOrdered || now != read)
        }
    }

    /// Stamps of the configuration file, of the metadata file or folder, of everything in the folder, of the certificates and
    /// of the management token.
    private var stamps: Stamps {
        var paths =
            [file.path, metadataPath, running.http.management.token?.file].compactMap(\.self) + certificates.paths
        if let metadataPath, let names = PosixFiles().names(in: metadataPath) {
            paths += names.map { metadataPath + "/" + $0 }
        }
        return Dictionary(paths.compactMap { path in FileStamp(of: path).map { (path, $0) } }) { first, _ in first }
    }

    // MARK: - Log

    private func announce(_ acceptance: Acceptance, _ change: AcceptanceChange) {
        var fields: Logger.Metadata = [
            "models": .stringConvertible(acceptance.metadata.statements.count),
            "facets": .stringConvertible(acceptance.facets.count),
        ]
        let changes: KeyValuePairs<String, [String]> = [
            "addedModels": change.addedModels.map(\.text), "removedModels": change.removedModels.map(\.text),
            "changedModels": change.changedModels.map(\.text),
            "changedRevocations": change.changedRevocations.map(\.text),
            "addedFacets": change.addedFacets.map(\.text), "removedFacets": change.removedFacets.map(\.text),
            "changedPolicies": change.changedPolicies.map(\.text),
            "changedAttestations": change.changedAttestations,
        ]
        for (name, values) in changes where !values.isEmpty { fields[name] = "\(values.joined(separator: ", "))" }
        logger.notice("reloaded", metadata: fields)
    }

    private mutating func warn(of settings: [String]) {
        defer { unusedSettings = settings }
        guard !settings.isEmpty, settings != unusedSettings else { return }
        logger.warning("restart needed", metadata: ["settings": "\(settings.joined(separator: ", "))"])
    }

    private mutating func complain(_ message: String, isNews: Bool) {
        guard isNews || message != complaint else { return }
        complaint = message
        logger.error("not reloaded, what was read before stays in use", metadata: ["error": "\(message)"])
    }
}

import Logging
import ServerConfiguration
import ServerCore
import UAF

/// Reads configuration and metadata again when they have changed, and lets the services accept what stands there.
///
/// It is told when to look, so it needs no clock. What cannot be used is said once and changes nothing.
struct DeploymentWatch {
    private typealias Stamps = [String: FileStamp]

    private let file: ConfigurationFile
    private let running: Deployment
    private let origin: String
    private let services: ServerServices
    private let logger: Logger
    /// Where the metadata lies by the configuration that was last understood.
    private var metadataPath: String?
    /// The files at the last look.
    private var seen: Stamps?
    /// The files when they were last read.
    private var read: Stamps?
    /// What was wrong with them.
    private var complaint: String?
    private var unusedSettings: [String] = []

    /// `running` is what `file` said when the server started, `origin` where clients reach it.
    init(_ file: ConfigurationFile, running: Deployment, origin: String, services: ServerServices, logger: Logger) {
        self.file = file
        self.running = running
        self.origin = origin
        self.services = services
        self.logger = logger
        metadataPath = running.uaf.metadataPath
    }

    /// Looks at the files and reads them when they are others than before, or were unusable.
    ///
    /// Files that are still being written are left alone: two looks in a row have to find the same.
    mutating func look() async {
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
            // Facets that another profile allows must not reach a server that runs by this one.
            guard deployment.profile == running.profile else {
                throw CommandFailure.local("profileChanged", "another profile needs a restart of the server")
            }
            let acceptance = try deployment.acceptance(from: PosixFiles(), origin: origin)
            let change = try await services.acceptance.replace(with: acceptance)
            if isOrdered || complaint != nil || !change.isEmpty { announce(acceptance, change) }
            complaint = nil
            metadataPath = deployment.uaf.metadataPath
            warn(of: deployment.settingsNeedingRestart(since: running))
        } catch {
            complain(CommandFailure(serving: error).message, isNews: isOrdered || now != read)
        }
    }

    /// Configuration file, metadata file or folder, and everything in the folder.
    private var stamps: Stamps {
        var paths = [file.path, metadataPath].compactMap(\.self)
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

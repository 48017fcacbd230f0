import CommandSupport
import Logging
import ServerCore
import ServerHTTP
import StrictJSON

/// Announcement to the operator and to waiting scripts that both listeners are open.
actor ReadyAnnouncement {
    private let origin: String
    private let authorityFile: String?
    private let start: ServerStart
    private let health: ServerHealth
    private let logger: Logger
    private var service: Int?
    private var management: ManagementListener.Opened?
    /// Number of listeners for administrators that are not open yet.
    private var pendingCount: Int
    private var administration: Int?

    /// `pendingCount` is the number of listeners for administrators.
    init(
        origin: String, authorityFile: String?, start: ServerStart, pendingCount: Int, health: ServerHealth,
        logger: Logger
    ) {
        self.pendingCount = pendingCount
        self.origin = origin
        self.authorityFile = authorityFile
        self.start = start
        self.health = health
        self.logger = logger
    }

    /// Records that the listener for phones and applications is open at a port; with the second one the server is ready.
    func opened(service port: Int) {
        service = port
        announce()
    }

    func opened(management place: ManagementListener.Opened) {
        management = place
        announce()
    }

    /// Records that a listener for administrators is open, at a port or, with 0, as a socket.
    func opened(administration port: Int) {
        if port != 0 { administration = port }
        pendingCount -= 1
        announce()
    }

    private func announce() {
        guard let service, let management, pendingCount == 0 else { return }
        health.setReady(true)
        if start.isForPeople {
            StandardError.write(start.welcome(origin: origin, authorityFile: authorityFile, management: management))
        } else {
            var fields: Logger.Metadata = ["url": "\(origin)", "port": .stringConvertible(service)]
            switch management {
            case .address(let address): fields["managementPort"] = .stringConvertible(address.port)
            case .socket(let path): fields["managementSocket"] = "\(path)"
            }
            if let administration { fields["administrationPort"] = .stringConvertible(administration) }
            if let authorityFile { fields["caFile"] = "\(authorityFile)" }
            logger.notice("ready", metadata: fields)
        }
        writeFile(service: service, management: management)
    }

    private func writeFile(service: Int, management: ManagementListener.Opened) {
        guard let file = start.readyFile else { return }
        let place: JSONObject.Member =
            switch management {
            case .address(let address): .init("managementPort", .integer(address.port))
            case .socket(let path): .init("managementSocket", .string(path))
            }
        var content: JSONObject = ["url": .string(origin), "port": .integer(service)]
        content.append(place.name, place.value)
        content.append("administrationPort", administration.map { .integer($0) })
        if let authorityFile { content.append("caFile", .string(authorityFile)) }
        do throws(PosixFiles.Failure) {
            try PosixFiles().write(JSONWriter.write(.object(content)), to: file, mode: 0o644)
        } catch {
            logger.error("ready file", metadata: ["error": "\(error)"])
        }
    }
}

import CommandSupport
import Logging
import ServerHTTP
import StrictJSON

/// Announcement to the operator and to waiting scripts that both listeners are open.
actor ReadyAnnouncement {
    /// The two listeners of the server.
    enum Listener {
        /// Listener for phones and applications.
        case service
        /// Listener for operators.
        case management
    }

    private let origin: String
    private let authorityFile: String?
    private let start: ServerStart
    private let health: ServerHealth
    private let logger: Logger
    private var ports: [Listener: Int] = [:]

    init(origin: String, authorityFile: String?, start: ServerStart, health: ServerHealth, logger: Logger) {
        self.origin = origin
        self.authorityFile = authorityFile
        self.start = start
        self.health = health
        self.logger = logger
    }

    /// Records that a listener is open; with the second one the server is ready.
    func opened(_ listener: Listener, port: Int) {
        ports[listener] = port
        guard let service = ports[.service], let management = ports[.management] else { return }
        health.setReady(true)
        var fields: Logger.Metadata = [
            "url": "\(origin)", "port": .stringConvertible(service), "managementPort": .stringConvertible(management),
        ]
        if let authorityFile { fields["caFile"] = "\(authorityFile)" }
        if start.isForPeople {
            StandardError.write(start.welcome(origin: origin, authorityFile: authorityFile, management: management))
        } else {
            logger.notice("ready", metadata: fields)
        }
        writeFile(service: service, management: management)
    }

    private func writeFile(service: Int, management: Int) {
        guard let file = start.readyFile else { return }
        let content: JSONObject = [
            "url": .string(origin), "port": .integer(service), "managementPort": .integer(management),
            "caFile": authorityFile.map { .string($0) },
        ]
        do throws(PosixFiles.Failure) {
            try PosixFiles().write(JSONWriter.write(.object(content)), to: file, mode: 0o644)
        } catch {
            logger.error("ready file", metadata: ["error": "\(error)"])
        }
    }
}

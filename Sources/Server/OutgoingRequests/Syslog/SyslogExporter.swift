package import Logging
import OpenID
package import ServerCore
import Synchronization

/// Export of the audit to a syslog server (subscriber `syslog`): every record, at least once, each chain in its order.
///
/// Its place in a chain moves once the server has taken what was sent (``SyslogConnection``); until then the same records are
/// sent again.
package final class SyslogExporter: AuditExporter {
    private let connection: SyslogConnection
    private let message: SyslogMessage
    private let logger: Logger
    private let trouble = Mutex<OutgoingFailure?>(nil)

    /// Exporter that sends to the server of `settings` in the name of `host`; `text` is the text of a record, one line.
    ///
    /// Throws ``OutgoingRequestsError/unusableAuthority(file:)`` for a file that cannot be used.
    package init(
        _ settings: SyslogSettings, host: String, logger: Logger, text: @escaping @Sendable (AuditRecord) -> String
    ) throws(OutgoingRequestsError) {
        connection = try SyslogConnection(settings)
        message = SyslogMessage(host: host, text: text)
        self.logger = logger
    }

    package var name: String { "syslog" }

    package func export(_ page: [AuditRecord]) async throws(ServerError) {
        do throws(OutgoingFailure) {
            try await connection.send(page.flatMap(message.frame))
        } catch {
            if trouble.withLock({ $0.replace(with: error) }) != error {
                logger.error(
                    "the syslog server does not take the audit; the server tries again",
                    metadata: ["server": "\(connection.name)", "reason": "\(error.rawValue)"])
            }
            throw .undelivered(retryAfter: .seconds(1))
        }
        guard trouble.withLock({ $0.replace(with: nil) }) != nil else { return }
        logger.notice("the syslog server takes the audit again", metadata: ["server": "\(connection.name)"])
    }
}

extension Optional {
    fileprivate mutating func replace(with value: Wrapped?) -> Wrapped? {
        defer { self = value }
        return self
    }
}

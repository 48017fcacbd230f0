package import Logging

/// Summaries of counted refusals, for the log and the audit.
package struct RefusalSummaries: Sendable {
    /// Refusals of services, which are summed up for log and audit.
    private let refusals: RefusalCounter
    /// Requests refused before any service saw them, which are summed up for the log.
    private let requestRefusals: RefusalCounter
    private let audit: any AuditLog
    private let logger: Logger

    package init(refusals: RefusalCounter, requestRefusals: RefusalCounter, audit: any AuditLog, logger: Logger) {
        self.refusals = refusals
        self.requestRefusals = requestRefusals
        self.audit = audit
        self.logger = logger
    }

    /// Writes down what was counted in the windows that are over; with `isLast` also in those that are not.
    package func write(at now: Timestamp, isLast: Bool = false) async throws(ServerError) {
        if let requests = requestRefusals.takeSummary(at: now, isLast: isLast) {
            logger.notice("refused requests counted", metadata: ["summary": "\(requests.text)"])
        }
        guard let summary = refusals.takeSummary(at: now, isLast: isLast) else { return }
        logger.notice("refusals counted", metadata: ["summary": "\(summary.text)"])
        var event = AuditEvent(.refusalsCounted, at: now)
        event.reason = summary.text
        try await audit.append(event)
    }
}

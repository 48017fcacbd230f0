package import Logging

/// Summaries of what is counted instead of recorded, for the log and the audit.
package struct RefusalSummaries: Sendable {
    /// Counters of the services, which are summed up for log and audit.
    private let log: ServiceLog
    /// Requests refused before any service saw them, which are summed up for the log.
    private let requestRefusals: RefusalCounter
    private let audit: any AuditLog
    private let logger: Logger

    package init(_ log: ServiceLog, requestRefusals: RefusalCounter, audit: any AuditLog, logger: Logger) {
        self.log = log
        self.requestRefusals = requestRefusals
        self.audit = audit
        self.logger = logger
    }

    /// Writes down what was counted in the windows that are over; with `isLast` also in those that are not.
    package func write(at now: Timestamp, isLast: Bool = false) async throws(ServerError) {
        if let requests = requestRefusals.takeSummary(at: now, isLast: isLast) {
            logger.notice("refused requests counted", metadata: ["summary": "\(requests.text)"])
        }
        if let refusals = log.refusals.takeSummary(at: now, isLast: isLast) {
            logger.notice("refusals counted", metadata: ["summary": "\(refusals.text)"])
            try await append(.refusalsCounted, refusals, at: now)
        }
        if let codes = log.codes.takeSummary(at: now, isLast: isLast) {
            logger.notice("codes counted", metadata: ["summary": "\(codes.text)"])
            try await append(.codesCounted, codes, at: now)
        }
    }

    private func append(
        _ kind: AuditEvent.Kind, _ summary: RefusalCounter.Summary, at now: Timestamp
    ) async throws(ServerError) {
        var event = AuditEvent(kind, at: now)
        event.reason = summary.text
        try await audit.append(event)
    }
}

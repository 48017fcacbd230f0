package import ServerCore

/// Reader of the audit that ends grants and sessions when what they rest on has ended, and tells their clients.
///
/// When a user is removed, their grants go with them, before any client could be notified.
package struct LogoutSubscriber: AuditSubscriber {
    /// Name under which the place in the audit is kept.
    package let name = "logout"
    /// Events that end logins without the provider taking part.
    package let kinds: Set<AuditEvent.Kind> = [
        .userLocked, .loginsEnded, .userRemoved, .credentialRemoved, .deviceRemoved, .passwordSet,
    ]

    package init() {}

    /// Ends the grants and sessions whose login does not hold any more, and tells their clients.
    package func prepare(
        _ records: [AuditSubscriberRecord], random: any RandomSource, at now: Timestamp
    ) async throws(ServerError) -> AuditSubscriberEffect {
        let users = Set(records.compactMap(\.userID))
        guard !users.isEmpty else { return .nothing }
        let notices = BackchannelLogout(seed: random.bytes(count: 16), now: now)
        return AuditSubscriberEffect { transaction throws(ServerTransactionFailure) in
            for id in users.sorted(by: { $0.text < $1.text }) {
                guard let user = try transaction.lockUser(id) else { continue }
                for grant in try transaction.grants(of: id) {
                    if try transaction.holds(grant.evidence, of: user) { continue }
                    guard try notices.end(grant, of: user, in: transaction) else { continue }
                    try notices.notify(grant, of: user, in: transaction)
                }
                for session in try transaction.browserSessions(of: id) {
                    if try transaction.holds(session.evidence, of: user) { continue }
                    _ = try transaction.removeBrowserSession(session.id)
                }
            }
        }
    }
}

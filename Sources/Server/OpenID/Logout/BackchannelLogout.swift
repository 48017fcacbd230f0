import Crypto
import Octets
import ServerCore
import StrictJSON
import UAF

/// Notices to clients that a user is logged out, written in the transaction that does it.
///
/// Whether a client wants to be told is known when the notice is sent (``LogoutMessages``).
struct BackchannelLogout: Sendable {
    /// Random octets, drawn before the transaction, from which the names of its messages are made.
    let seed: [UInt8]
    let now: Timestamp

    /// Ends a grant; false when it had ended.
    @discardableResult
    func end(
        _ grant: Grant, of user: User, from context: ClientContext = ClientContext(),
        in transaction: any OpenIDTransaction
    ) throws(ServerTransactionFailure) -> Bool {
        guard try transaction.endGrant(grant.id, at: now) else { return false }
        var event = AuditEvent(.clientGrantEnded, of: grant, by: grant.client, at: now, from: context)
        event.username = user.name
        try transaction.append(event)
        return true
    }

    func notify(
        _ grant: Grant, of user: User, in transaction: any OpenIDTransaction
    ) throws(ServerTransactionFailure) {
        let digest = Array(SHA256.hash(data: seed + grant.id.octets).prefix(OutgoingMessageID.byteCount))
        guard let id = OutgoingMessageID(digest) else { return }
        try transaction.insert(
            OutgoingMessage(
                id: id, kind: .logout, destination: grant.client.text, content: Self.content(grant, user),
                createdAt: now))
    }

    private static func content(_ grant: Grant, _ user: User) -> [UInt8] {
        JSONWriter.write(
            .object([
                "sub": .string(user.externalID.text), "sid": grant.session.map { .string($0.text) },
            ]))
    }
}

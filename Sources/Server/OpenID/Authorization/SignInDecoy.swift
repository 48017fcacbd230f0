import BackendAPI
import Octets
import ServerCore
import UAFService

/// Push to a user who does not exist: it has digits and an end like any other, and no phone takes it.
///
/// Its identifier, which no browser is shown, tells its end: eight random octets and the time. No table holds it, so
/// that requests for unknown names need no storage. A query of its state reads the database, waits and is bounded like
/// the query of a real push.
struct SignInDecoy: Sendable {
    private static let randomByteCount = 8

    let expiresAt: Timestamp

    /// Reads an identifier; nil for one that no decoy of the session can have.
    init?(_ id: CeremonyID, in session: AuthorizationSession) {
        let bits = id.octets.dropFirst(Self.randomByteCount).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        guard case .confirming = session.stage, bits <= UInt64(Int64.max) else { return nil }
        expiresAt = Timestamp(milliseconds: Int64(bits))
        guard expiresAt > session.createdAt, expiresAt <= session.expiresAt + SignInPageSessions.pushLifetime else {
            return nil
        }
    }

    /// Begins a push to no phone, with as many digits as a real one has.
    static func begin(at now: Timestamp, digitCount: Int, _ random: any RandomSource) -> BegunConfirmation {
        let expiresAt = now + SignInPageSessions.pushLifetime
        let bits = UInt64(bitPattern: expiresAt.milliseconds)
        let time = (0..<8).map { UInt8(truncatingIfNeeded: bits >> (56 - 8 * UInt64($0))) }
        let id = CeremonyID(random.bytes(count: randomByteCount) + time) ?? CeremonyID(from: random)
        return BegunConfirmation(
            id: id, link: nil, digits: LinkingDigits(.typed, count: digitCount, from: random)?.shown,
            expiresAt: expiresAt)
    }
}

import Crypto
import Foundation
import ServerCore
import UAF

/// Sign-ins of many users over ten days, fifty of each user, in the order of their times.
struct AuditRecords: Sendable {
    private static let recordsOfUser = 50
    private static let days: Int64 = 10

    let count: Int
    private let begin: Timestamp
    /// Users of the events, with the keys that seal what names them.
    let users: [User]

    /// So many records, of which the last took place at `end`.
    init(count: Int, endingAt end: Timestamp) {
        self.count = count
        begin = end - .seconds(Self.days * 86_400)
        let random = SystemRandomSource()
        users = (0..<count / Self.recordsOfUser).compactMap { [begin] number in
            UserName("user\(number)").map { name in
                User(
                    id: UserID(from: random), name: name, externalID: name, createdAt: begin,
                    auditKey: AuditSubjectKey(from: random))
            }
        }
    }

    /// Name of a user with fifty records, which are spread over all ten days.
    var subject: String { "user7" }

    /// Begin of the day before which half of the records took place.
    var middle: Timestamp {
        let half = begin + .seconds(Self.days * 43_200)
        return Timestamp(seconds: half.milliseconds / 86_400_000 * 86_400)
    }

    /// Event of a record.
    func event(_ number: Int) -> AuditEvent {
        let user = users[number % users.count]
        let step = Self.days * 86_400_000 / Int64(count)
        var event = AuditEvent(
            .signedIn, at: begin + .milliseconds(Int64(number) * step),
            client: ClientContext(address: "192.0.2.7", userAgent: "Example/1.0 (phone)")
        ).about(user)
        event.channel = .push
        event.statusCode = .ok
        return event
    }

    /// Hashes as many octets as the hashes of all records cover: the event, the hash before, the name and the number.
    func hash() {
        let octets = event(count / 2).json + [UInt8](repeating: 0, count: 53)
        for _ in 0..<count { _ = SHA256.hash(data: octets) }
    }
}

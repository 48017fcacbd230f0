import Crypto
import Linearizability
import Octets
import ServerCore
import UAF

/// Number of records that the audit has to hold of one kind about one key or ceremony.
///
/// What was acknowledged has to be there; what was asked and neither acknowledged nor refused may be.
struct AuditClaim: Sendable {
    /// Kind of the records.
    let kind: AuditEvent.Kind
    /// What they are about, in the words of the audit: the hash of a key ID, or the ID of a ceremony.
    let subject: String
    /// Acknowledged operations, and those that may have been done.
    let counts: ClosedRange<Int>

    /// Claim about the operations of one object that `isMeant` names.
    init<Call>(
        _ kind: AuditEvent.Kind, about subject: String, _ history: [RecordedOperation<Call, Decision>],
        where isMeant: (Call) -> Bool
    ) {
        self.kind = kind
        self.subject = subject
        let meant = history.filter { isMeant($0.call) }
        let acknowledged = meant.count { $0.answer == .accepted }
        counts = acknowledged...(acknowledged + meant.count { $0.answer == nil })
    }

    /// A key as the audit names it.
    static func subject(_ credential: CredentialID) -> String {
        Base64URL.encode(Array(SHA256.hash(data: credential.keyID.octets)))
    }

    /// Why the audit does not hold what it has to; nil when it does.
    func objection(to audit: ServerAudit) -> String? {
        let count = audit.count(of: kind, about: subject)
        if count < counts.lowerBound {
            return "\(kind.rawValue) about \(subject): \(counts.lowerBound) were acknowledged, \(count) are there"
        }
        guard count > counts.upperBound else { return nil }
        return "\(kind.rawValue) about \(subject): \(counts.upperBound) can have been done, \(count) are there"
    }
}

import Crypto
import Octets
package import StrictJSON

/// Person of the audit: the key that opens what their records have sealed, or what is left of it.
package enum AuditSubject: Sendable, Hashable {
    case key(AuditSubjectKey)
    /// The person was erased, and the key is gone.
    case erased(at: Timestamp)
}

/// Key of one person: it seals the members of audit records that name them (``AuditEvent/json``).
///
/// Erasure deletes it. The records stay as they are, and with them the hashes that chain them.
package struct AuditSubjectKey: Sendable, Hashable {
    static let byteCount = 32

    private let secret: Sensitive<[UInt8]>

    /// Takes 32 octets; nil for another number.
    package init?(_ octets: [UInt8]) {
        guard octets.count == Self.byteCount else { return nil }
        secret = Sensitive(octets)
    }

    package init(from random: some RandomSource) { secret = Sensitive(random.bytes(count: Self.byteCount)) }

    /// The octets, for the storage.
    package var octets: [UInt8] { secret.reveal() }

    private var key: SymmetricKey { SymmetricKey(data: secret.reveal()) }

    /// AES-256-GCM over the members as JSON, bound to the record that they belong to.
    func seal(_ members: JSONObject, of place: AuditPlace, random: some RandomSource) -> [UInt8] {
        AuthenticatedEncryption.seal(
            JSONWriter.write(.object(members), escapesMarkup: true), key: key,
            nonce: random.bytes(count: AuthenticatedEncryption.nonceByteCount), binding: place.binding)
    }

    /// The members; nil for what was not sealed with this key for this record.
    func open(_ sealed: [UInt8], of place: AuditPlace) -> JSONObject? {
        guard let text = try? AuthenticatedEncryption.open(sealed, key: key, binding: place.binding),
            case .object(let members)? = try? JSONParser.parse(text)
        else { return nil }
        return members
    }
}

/// Tie of sealed members to their record: whom it is about, what happened, and when.
struct AuditPlace {
    let userID: UserID
    let kind: String
    let at: Timestamp

    var binding: [UInt8] { userID.octets + at.bigEndianOctets(count: 8) + Array(kind.utf8) }
}

extension AuditEntry {
    /// Name of the member that has the others sealed, and of the one that stands for them when the person is erased.
    static let sealedMember = "sealed"
    static let erasedMember = "erased"

    package var userID: UserID? { self["userId"].flatMap { UserID(text: $0) } }

    /// The entry with the members that its record has sealed; with `"erased": true` instead when the person is erased.
    ///
    /// What no key opens stays sealed.
    package func opened(by subjects: [UserID: AuditSubject]) -> AuditEntry {
        guard let userID, let subject = subjects[userID] else { return self }
        var members = event.members.filter { $0.name != Self.sealedMember }
        switch subject {
        case .erased: members.append(JSONObject.Member(Self.erasedMember, .bool(true)))
        case .key(let key):
            guard let sealed = self[Self.sealedMember].flatMap({ try? Base64URL.decode($0) }),
                let opened = key.open(sealed, of: AuditPlace(userID: userID, kind: kind, at: at))
            else { return self }
            let names = Set(members.map(\.name))
            members += opened.members.filter { !names.contains($0.name) }
        }
        var entry = self
        entry.event = JSONObject(distinct: members)
        return entry
    }
}

extension AuditEntry {
    /// The entry without some of its members.
    package func without(_ isLeftOut: (_ name: String) -> Bool) -> AuditEntry {
        var entry = self
        entry.event = JSONObject(distinct: event.members.filter { !isLeftOut($0.name) })
        return entry
    }
}

extension AuditLog {
    /// Entries with what their records have sealed.
    package func opened(_ entries: [AuditEntry]) async throws(ServerError) -> [AuditEntry] {
        let users = Set(entries.compactMap(\.userID))
        guard !users.isEmpty else { return entries }
        let subjects = try await subjects(users)
        return entries.map { $0.opened(by: subjects) }
    }
}

extension AuditService {
    /// Members that records of one chain have sealed, by their numbers; `erased` alone for a person who is erased.
    package func sealedMembers(of records: [AuditRecord]) async throws(ServerError) -> [Int64: JSONObject] {
        let entries = records.compactMap { try? AuditEntry($0) }.filter { $0[AuditEntry.sealedMember] != nil }
        var members: [Int64: JSONObject] = [:]
        for (entry, opened) in zip(entries, try await log.opened(entries)) {
            let names = Set(entry.event.members.map(\.name))
            let new = opened.event.members.filter { !names.contains($0.name) }
            if !new.isEmpty { members[entry.sequence] = JSONObject(distinct: new) }
        }
        return members
    }
}

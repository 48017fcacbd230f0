import StrictJSON

/// The audit: who did what with which result, in chains that show every later change.
package protocol AuditLog: Sendable {
    /// Has every record that this process appends from now on proved with `key`.
    func prove(with key: AuditKey)

    /// Signed statement of the ends of all chains; nil before the first one.
    func heads() async throws(ServerError) -> String?

    /// Replaces the statement; false, and nothing written, where it is another than `known` by now.
    ///
    /// With `day` the one before is kept as the end of that day.
    func setHeads(
        _ statement: String, replacing known: String?, closing day: AuditDay?
    ) async throws(ServerError) -> Bool

    /// Statement that was kept as the end of a day; nil without one.
    func heads(of day: AuditDay) async throws(ServerError) -> String?

    /// Statement of the last day before another one that has one.
    func heads(before day: AuditDay) async throws(ServerError) -> (day: AuditDay, statement: String)?

    /// Forgets the statements of earlier days.
    func forgetDays(before day: AuditDay) async throws(ServerError)

    /// Appends a record to the chain of this process.
    func append(_ event: AuditEvent) async throws(ServerError)

    func chains() async throws(ServerError) -> [String]

    /// The last record that was pruned from the front of a chain; nil while the chain is whole.
    func start(of chain: String) async throws(ServerError) -> AuditRecord.Head?

    func end(of chain: String) async throws(ServerError) -> AuditRecord.Head?

    /// The last of the records behind `sequence` before which all are older than `time`, among the next `limit`; nil when
    /// the first one is not. Whether it is the last one at all: whether fewer than `limit` were old.
    func lastRecord(
        of chain: String, before time: Timestamp, after sequence: Int64, limit: Int
    ) async throws(ServerError) -> (head: AuditRecord.Head?, isLast: Bool)

    /// Lets a chain begin after `head` and appends `event`, which names it, to the same chain; in one transaction.
    func seal(_ chain: String, after head: AuditRecord.Head, event: AuditEvent) async throws(ServerError)

    /// Deletes `limit` records before the start of a chain at most, and returns how many.
    func deletePruned(of chain: String, limit: Int) async throws(ServerError) -> Int

    /// Records of one chain in order, at most `limit`, beginning after `sequence`.
    func records(of chain: String, after sequence: Int64, limit: Int) async throws(ServerError) -> [AuditRecord]

    /// Keys of people, as far as the audit knows them.
    func subjects(_ users: Set<UserID>) async throws(ServerError) -> [UserID: AuditSubject]

    /// Records of one chain, newest first, at most `limit`, beginning before `sequence`.
    func records(of chain: String, before sequence: Int64, limit: Int) async throws(ServerError) -> [AuditRecord]
}

/// One link of an audit chain.
package struct AuditRecord: Sendable, Hashable {
    /// The server process that wrote the record.
    package let chainID: String
    /// Place in the chain, from 1 without gaps.
    package let sequence: Int64
    /// The event as JSON, as it was written.
    package let event: [UInt8]
    /// Hash of the record before; the first record has ``origin``.
    package let previousHash: AuditHash
    /// Hash of this record; it covers all members and, through ``previousHash``, everything before.
    package let hash: AuditHash
    /// Proof of the record (``AuditKey``); nil for one that was written without a key.
    package let proof: [UInt8]?
    /// Damage of the stored row; nil for one that can be read.
    package let damage: Damage?

    /// Stands in front of the first record of every chain.
    package static let origin = AuditHash(of: "signet audit".utf8)

    /// The record that follows `last` (nil at the beginning of a chain) with this event.
    package init(chainID: String, after last: AuditRecord.Head?, event: [UInt8]) {
        let head = last ?? Head(sequence: 0, hash: Self.origin)
        self.init(
            chainID: chainID, sequence: head.sequence + 1, event: event, previousHash: head.hash,
            hash: Self.hash(chainID: chainID, sequence: head.sequence + 1, event: event, previousHash: head.hash))
    }

    /// Takes a record as it is stored, without a check of its hash.
    package init(
        chainID: String, sequence: Int64, event: [UInt8], previousHash: AuditHash, hash: AuditHash,
        proof: [UInt8]? = nil, damage: Damage? = nil
    ) {
        self.chainID = chainID
        self.sequence = sequence
        self.event = event
        self.previousHash = previousHash
        self.hash = hash
        self.proof = proof
        self.damage = damage
    }

    /// The end of a chain, to which the next record is tied.
    package struct Head: Sendable, Hashable {
        package let sequence: Int64
        package let hash: AuditHash

        package init(sequence: Int64, hash: AuditHash) {
            self.sequence = sequence
            self.hash = hash
        }
    }

    package var head: Head { Head(sequence: sequence, hash: hash) }

    /// True when the hash is the one that the content has.
    var isWhole: Bool {
        hash == Self.hash(chainID: chainID, sequence: sequence, event: event, previousHash: previousHash)
    }

    /// Record that cannot be read.
    package struct Damage: Error, Sendable, Hashable {
        /// Fault in words that follow its number.
        package let text: String

        package init(_ text: String) { self.text = text }
    }

    /// Records of a chain that are not as servers have written them.
    package struct Break: Sendable, Hashable {
        package let chainID: String
        /// First and last record concerned.
        package let sequence: Int64
        package let last: Int64
        /// Fault, in words.
        package let reason: String

        package init(chainID: String, sequence: Int64, through last: Int64? = nil, reason: String) {
            self.chainID = chainID
            self.sequence = sequence
            self.last = last ?? sequence
            self.reason = reason
        }

        /// Chain, records and reason, in words.
        package var text: String {
            let records = last == sequence ? "record \(sequence)" : "records \(sequence) to \(last)"
            return "\(chainID) at \(records): \(reason)"
        }
    }

    private static func hash(
        chainID: String, sequence: Int64, event: [UInt8], previousHash: AuditHash
    ) -> AuditHash {
        var hashed: [UInt8] = []
        hashed.reserveCapacity(previousHash.octets.count + 16 + chainID.utf8.count + event.count)
        for part in [previousHash.octets, hashedName(of: chainID), fixed(sequence), event] { hashed += part }
        return AuditHash(of: hashed)
    }

    /// Form of the name of a chain in the hash of a record: its length in eight octets, and its UTF-8.
    ///
    /// The hash is SHA-256 over the previous hash, the name, the sequence in eight octets and the event.
    package static func hashedName(of chainID: String) -> [UInt8] {
        fixed(Int64(chainID.utf8.count)) + Array(chainID.utf8)
    }

    private static func fixed(_ number: Int64) -> [UInt8] {
        withUnsafeBytes(of: number.bigEndian) { Array($0) }
    }
}

/// Operating-system user who administers a server by a command, for the audit.
package struct AuditActor: Sendable, Hashable {
    /// The numeric identity of the process's owner.
    package let userID: UInt32
    /// The login name that belongs to ``userID``; nil when the system knows none.
    package let login: String?
    /// The login name of the person behind `sudo`, as `SUDO_USER` says; nil without one.
    ///
    /// It is a statement of the process's environment: it holds as far as the users who may run commands as ``userID``
    /// are trusted.
    package let sudoUser: String?

    package init(userID: UInt32, login: String?, sudoUser: String?) {
        self.userID = userID
        self.login = login
        self.sudoUser = sudoUser
    }

    var members: JSONObject {
        [
            "uid": .integer(Int64(userID)), "login": AuditEvent.clipped(login),
            "sudoUser": AuditEvent.clipped(sudoUser),
        ]
    }
}

import JOSE
import Octets
import StrictJSON

/// Records of one day with their signed ends, which can be checked without the server.
package struct AuditSegment: Sendable {
    /// Part of a chain: the records behind a number up to another one.
    package struct Part: Sendable, Hashable {
        package let chain: String
        package let after: Int64
        package let through: Int64
    }

    /// Fault of the signed ends.
    package enum Fault: Error, Sendable, Hashable {
        /// The key set is none.
        case unreadableKeys
        /// No key of the set has signed them.
        case notSigned
    }

    private let before: AuditHeads?
    private let heads: AuditHeads
    private var walks: [String: (walk: AuditWalk, last: AuditRecord.Head?)] = [:]
    private var strangers: [AuditRecord.Break] = []

    /// Takes the statement of a day and the one of the day before, nil for the first one, which one of `keys` has signed.
    package init(statement: String, before: String?, keys: [UInt8]) throws(Fault) {
        guard let set = try? JWKS(json: keys) else { throw .unreadableKeys }
        guard let heads = AuditHeads(statement, signedBy: set.keys) else { throw .notSigned }
        self.heads = heads
        self.before = before.flatMap { AuditHeads($0, signedBy: set.keys) }
        guard before == nil || self.before != nil else { throw .notSigned }
        for part in parts {
            let (start, end) = (self.before?.chains[part.chain]?.head, heads.chains[part.chain])
            walks[part.chain] = (AuditWalk(part.chain, after: start, AuditProof(key: nil, end: end)), start)
        }
    }

    /// Time of the statement, which was the last one of the day.
    package var signedAt: Timestamp { heads.signedAt }

    /// Parts of the chains of which it consists.
    package var parts: [Part] {
        heads.chains.map { chain, end in
            Part(chain: chain, after: before?.chains[chain]?.head.sequence ?? 0, through: end.head.sequence)
        }.sorted { $0.chain < $1.chain }
    }

    /// Follows the next record of a chain.
    package mutating func follow(_ record: AuditRecord) {
        let last = heads.chains[record.chainID]?.head.sequence ?? 0
        guard record.sequence <= last, var followed = walks[record.chainID] else {
            return strangers.append(
                AuditRecord.Break(
                    chainID: record.chainID, sequence: record.sequence, reason: "not among those that were signed"))
        }
        followed.walk.follow(record)
        followed.last = record.head
        walks[record.chainID] = followed
    }

    /// Everything that is not as the server has signed it, once all records were followed.
    package func breaks() -> [AuditRecord.Break] {
        walks.sorted { $0.key < $1.key }.flatMap { _, followed in
            var walk = followed.walk
            walk.finish(followed.last)
            return walk.breaks
        } + strangers
    }
}

extension AuditRecord {
    /// The record as a line of a segment, with the event as it is stored.
    package var segmentLine: String {
        let event = (try? JSONParser.parse(self.event)) ?? .string(String(decoding: self.event, as: UTF8.self))
        return JSONWriter.text(
            .object([
                "chain": .string(chainID), "sequence": .integer(sequence), "event": event,
                "previousHash": .string(Base64URL.encode(previousHash.octets)),
                "hash": .string(Base64URL.encode(hash.octets)),
            ]))
    }

    /// Reads a line of a segment; nil for one that is none.
    package init?(segmentLine line: some Sequence<UInt8>) {
        guard let members = try? JSONParser.parse(Array(line)).asObject(),
            let chain = try? members.string("chain"), let sequence: Int64 = try? members.integer("sequence"),
            let event = members["event"], let previous = Self.hash(members, "previousHash"),
            let hash = Self.hash(members, "hash")
        else { return nil }
        self.init(
            chainID: chain, sequence: sequence, event: JSONWriter.write(event), previousHash: previous, hash: hash)
    }

    private static func hash(_ members: JSONObject, _ name: String) -> AuditHash? {
        guard let text = try? members.string(name), let octets = try? Base64URL.decode(text) else { return nil }
        return AuditHash(stored: octets)
    }
}

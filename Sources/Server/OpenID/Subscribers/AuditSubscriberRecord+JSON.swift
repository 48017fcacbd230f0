import Octets
import ServerCore
import StrictJSON
import UAF

extension AuditSubscriberRecord {
    /// Reads a record of the audit; nil for one of another kind, also for one that only earlier versions write.
    ///
    /// Throws for one that no version of this server has written.
    init?(_ record: AuditRecord, kinds: Set<AuditEvent.Kind>) throws(AuditRecord.Damage) {
        if let damage = record.damage { throw damage }
        guard case .object(let event)? = try? JSONParser.parse(record.event), let name = Self.text(event, "event")
        else { throw AuditRecord.Damage("its event is no JSON object with a name") }
        guard let kind = AuditEvent.Kind(rawValue: name), kinds.contains(kind) else { return nil }
        guard let at = Self.text(event, "ts").flatMap(Timestamp.init(iso8601:)) else {
            throw AuditRecord.Damage("its event has no time")
        }
        self.init(
            chainID: record.chainID, sequence: record.sequence, kind: kind, at: at,
            userID: Self.text(event, "userId").flatMap { UserID(text: $0) },
            ceremony: Self.text(event, "sessionId").flatMap { CeremonyID(text: $0) },
            target: Self.text(event, "dispatchTargetId").flatMap { DispatchTargetID(text: $0) },
            transaction: Self.text(event, "txnHash").flatMap { try? Base64URL.decode($0) }.flatMap {
                TransactionHash(stored: $0)
            },
            reason: Self.text(event, "reason"), externalID: Self.text(event, "externalId").flatMap { UserName($0) },
            authenticator: Self.text(event, "authenticatorId").flatMap { TargetExternalID(text: $0) })
    }

    private static func text(_ event: JSONObject, _ name: String) -> String? {
        guard case .string(let text)? = event[name] else { return nil }
        return text
    }
}

extension Timestamp {
    init?(iso8601 text: String) {
        let octets = Array(text.utf8)
        guard octets.count == 24, octets[23] == UInt8(ascii: "Z") else { return nil }
        let separators: [Int: UInt8] = [
            4: UInt8(ascii: "-"), 7: UInt8(ascii: "-"), 10: UInt8(ascii: "T"), 13: UInt8(ascii: ":"),
            16: UInt8(ascii: ":"), 19: UInt8(ascii: "."),
        ]
        guard separators.allSatisfy({ octets[$0.key] == $0.value }) else { return nil }
        var numbers: [Int64] = []
        for range in [0..<4, 5..<7, 8..<10, 11..<13, 14..<16, 17..<19, 20..<23] {
            guard let number = Self.number(octets[range]) else { return nil }
            numbers.append(number)
        }
        let days = Self.daysSinceEpoch(year: numbers[0], month: numbers[1], day: numbers[2])
        let seconds = ((days * 24 + numbers[3]) * 60 + numbers[4]) * 60 + numbers[5]
        self.init(milliseconds: seconds * 1_000 + numbers[6])
    }

    private static func number(_ digits: ArraySlice<UInt8>) -> Int64? {
        guard digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return digits.reduce(Int64(0)) { $0 * 10 + Int64($1 - 0x30) }
    }

    /// Days of the proleptic Gregorian calendar, counted in years that begin on 1 March.
    private static func daysSinceEpoch(year: Int64, month: Int64, day: Int64) -> Int64 {
        let shiftedYear = month <= 2 ? year - 1 : year
        let shiftedMonth = month <= 2 ? month + 9 : month - 3
        let dayOfYear = (153 * shiftedMonth + 2) / 5 + day - 1
        return shiftedYear * 365 + shiftedYear / 4 - shiftedYear / 100 + shiftedYear / 400 + dayOfYear - 719_468
    }
}

import Octets
package import StrictJSON

extension AuditEntry {
    /// The record with its place, and what happened in words.
    package var json: JSONValue {
        .object([
            "chain": .string(chainID), "sequence": .integer(sequence), "meaning": .string(meaning),
            "event": .object(event),
        ])
    }

    /// Entry as an answer of the administration API has it, or a line of the export with what the record has sealed.
    ///
    /// Nil for a line whose record is damaged.
    package init?(answer members: JSONObject) {
        guard case .string(let chainID)? = members["chain"], case .number(let number)? = members["sequence"],
            let sequence = number.integer, case .object(var event)? = members["event"],
            case .string(let kind)? = event["event"], case .string(let time)? = event["ts"],
            let at = Timestamp(iso8601: time), members["damage"] == nil
        else { return nil }
        if case .object(let opened)? = members["opened"] {
            event = JSONObject(distinct: event.members.filter { $0.name != Self.sealedMember } + opened.members)
        }
        (self.chainID, self.sequence, self.at, self.kind, self.event) = (chainID, sequence, at, kind, event)
    }

    /// The event in words.
    package var meaning: String {
        guard let kind = AuditEvent.Kind(rawValue: kind) else { return kind }
        let channel = self["channel"].flatMap { AuditEvent.SignInChannel(rawValue: $0) }
        return channel.map { "\(kind.meaning) \($0.words)" } ?? kind.meaning
    }
}

extension AuditRecord {
    /// The record as one line of JSON, with the members that its event has sealed beside the event, whose hash stays valid.
    ///
    /// An event that is no valid JSON any more was changed: "audit verify" reports it, and here it is a text.
    package func exportLine(opened: JSONObject?) -> String {
        let event = (try? JSONParser.parse(self.event)) ?? .string(String(decoding: self.event, as: UTF8.self))
        return JSONWriter.text(
            .object([
                "chain": .string(chainID), "sequence": .integer(sequence), "event": event,
                "opened": opened.map { .object($0) },
                "damage": damage.map { .string($0.text) },
                "previousHash": .string(Base64URL.encode(previousHash.octets)),
                "hash": .string(Base64URL.encode(hash.octets)),
            ]))
    }
}

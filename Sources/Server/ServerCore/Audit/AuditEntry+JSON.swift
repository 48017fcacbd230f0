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

import ServerCore
import StrictJSON

/// Form in which a record of the audit goes to a syslog server: RFC 5424, 6, in a frame of RFC 5425, 4.3.
struct SyslogMessage: Sendable {
    /// Facility 13 (log audit), severity 6 (informational).
    private static let priority = 13 * 8 + 6
    /// Length of MSGID (RFC 5424, 6).
    private static let identifierLimit = 32
    /// The number is the one of RFC 5612 for names that are registered nowhere.
    private static let element = "signet@32473"

    /// HOSTNAME of all messages.
    let host: String
    let text: @Sendable (AuditRecord) -> String

    /// The message with its number of octets before it.
    func frame(of record: AuditRecord) -> [UInt8] {
        let message = Array(head(of: record).utf8) + body(of: record)
        return Array("\(message.count) ".utf8) + message
    }

    private func head(of record: AuditRecord) -> String {
        let event = try? JSONParser.parse(record.event).asObject()
        let time = (try? event?.string("ts")).flatMap { Timestamp(iso8601: $0) }
        let kind = (try? event?.string("event")).flatMap { AuditEvent.Kind(rawValue: $0) }?.rawValue
        let identifier = kind.flatMap { $0.utf8.count <= Self.identifierLimit ? $0 : nil }
        let data = "chain=\"\(Self.escaped(record.chainID))\" sequence=\"\(record.sequence)\""
        return "<\(Self.priority)>1 \(time?.iso8601 ?? "-") \(host) signet-server - \(identifier ?? "-") "
            + "[\(Self.element) \(data)] "
    }

    /// MSG: UTF-8 has to begin with a byte order mark (RFC 5424, 6.4).
    private func body(of record: AuditRecord) -> [UInt8] {
        let octets = Array(text(record).utf8)
        return octets.allSatisfy { $0 < 0x80 } ? octets : [0xEF, 0xBB, 0xBF] + octets
    }

    /// PARAM-VALUE: a backslash stands before quotation marks, backslashes and closing brackets (RFC 5424, 6.3.3).
    private static func escaped(_ value: String) -> String {
        value.reduce(into: "") { text, character in
            if "\"\\]".contains(character) { text.append("\\") }
            text.append(character)
        }
    }
}

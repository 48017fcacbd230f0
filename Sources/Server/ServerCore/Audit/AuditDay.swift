import Octets

/// Day (UTC) after which the ends of all chains are kept as they were signed last.
package struct AuditDay: Sendable, Hashable, CustomStringConvertible {
    /// The day as 2026-01-31.
    package let text: String

    package init(of time: Timestamp) { text = String(time.iso8601.prefix(10)) }

    /// Nil for every other text, and for a day that no calendar has.
    package init?(_ text: String) {
        guard let begin = Timestamp(iso8601: "\(text)T00:00:00.000Z") else { return nil }
        self.init(of: begin)
        guard self.text.hasSameOctets(as: text) else { return nil }
    }

    package var description: String { text }
}

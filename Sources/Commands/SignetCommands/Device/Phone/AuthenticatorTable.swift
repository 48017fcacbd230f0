import VirtualDevice

/// The authenticators of a phone as a table for people.
struct AuthenticatorTable {
    private static let head = ["KIND", "AAID", "HARDWARE", "SYSTEM", "ENROLLED", "ACCOUNTS"]

    private let rows: [[String]]

    init(_ authenticators: [DeviceAuthenticator]) {
        rows = authenticators.map { authenticator in
            let accounts = authenticator.registrations.map { registration in
                ForeignText.name(registration.username) + (registration.isUsable ? "" : " (unusable)")
            }
            return [
                AuthenticatorChoice(authenticator.kind).rawValue, authenticator.aaid,
                Self.word(authenticator.isSupportedByHardware), Self.word(authenticator.isSupportedByOs),
                Self.word(authenticator.isEnrolled), accounts.isEmpty ? "-" : accounts.joined(separator: ", "),
            ]
        }
    }

    /// The lines, with columns of even width.
    var text: String {
        let all = [Self.head] + rows
        let widths = Self.head.indices.map { column in all.map { $0[column].count }.max() ?? 0 }
        return all.map { row in
            zip(row, widths).map { cell, width in cell + String(repeating: " ", count: max(0, width - cell.count)) }
                .joined(separator: "  ").trimmingTail
        }.joined(separator: "\n")
    }

    private static func word(_ isTrue: Bool) -> String { isTrue ? "yes" : "no" }
}

extension String {
    /// Without the blanks at the end.
    fileprivate var trimmingTail: String { String(reversed().drop { $0 == " " }.reversed()) }
}

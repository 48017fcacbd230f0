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
    var text: String { TextTable(head: Self.head, rows: rows).text }

    private static func word(_ isTrue: Bool) -> String { isTrue ? "yes" : "no" }
}

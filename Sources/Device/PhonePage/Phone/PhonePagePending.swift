import MobileAuthentication
import StrictJSON

/// Operation that waits for the phone: brought by a push message, or listed by a server.
struct PhonePagePending: Sendable {
    let payload: OutOfBandPayload
    /// Title of the push message; nil for one of the list.
    let title: String?
    /// Time at which the server began it, in milliseconds since 1970; nil for a push message.
    let beganAt: Int64?

    init(payload: OutOfBandPayload, title: String?) {
        self.payload = payload
        self.title = title
        beganAt = nil
    }

    init(_ operation: PendingOutOfBandOperation) {
        payload = operation.payload
        title = nil
        beganAt = operation.creationTimeInEpochMillis
    }

    /// Operation for the page, without its token.
    var json: JSONValue {
        .object([
            "title": title.map { .string(PhonePageText.name($0)) }, "beganAt": beganAt.map { .integer($0) },
        ])
    }
}

/// Choice of the account whose PIN or password is to be changed.
struct PhonePageAccountChoice: Sendable, Hashable {
    /// Whether it is about the password and not the PIN.
    let isAboutPassword: Bool
    let names: [String]
}

import StrictJSON

/// Request of an initiator for the status of a ceremony.
///
/// Members, limits and errors: `docs/web/http-api.md`.
public struct StatusRequest: MessageBody {
    /// The identifier that came with the token.
    public let sessionID: String
    /// The status the caller knows: the server then waits for another one before it answers, for at most ``wait``.
    public let knownStatus: SessionStatus.Status?
    /// Time to wait for a change, in milliseconds; nil answers at once.
    ///
    /// Servers shorten what is too long for them.
    public let wait: Int64?

    /// Asks for the status now.
    public init(sessionID: String) { self.init(sessionID: sessionID, knownStatus: nil, wait: nil) }

    /// Asks for the next status after `known`, and waits for it for at most `wait` milliseconds.
    public init(sessionID: String, after known: SessionStatus.Status, wait: Int64) {
        self.init(sessionID: sessionID, knownStatus: known, wait: wait)
    }

    init(sessionID: String, knownStatus: SessionStatus.Status?, wait: Int64?) {
        self.sessionID = sessionID
        self.knownStatus = knownStatus
        self.wait = wait
    }
}

extension StatusRequest: StrictBody {
    init(json: JSONValue) throws(JSONTypeError) {
        let members = try json.asObject()
        self.init(
            sessionID: try members.required("sessionId") { value throws(JSONTypeError) in
                try value.asString(scalarCount: 1...256)
            },
            knownStatus: try members.optionalString("knownStatus").map(SessionStatus.Status.init(rawValue:)),
            wait: try members.optional("waitMillis") { value throws(JSONTypeError) in
                let wait = try value.asInt64()
                guard wait >= 0 else { throw JSONTypeError(.outOfRange) }
                return wait
            })
    }

    var json: JSONValue {
        .object([
            "sessionId": .string(sessionID), "knownStatus": (knownStatus?.rawValue).map(JSONValue.string),
            "waitMillis": wait.map(JSONValue.integer),
        ])
    }
}

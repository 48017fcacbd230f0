import Octets
import StrictJSON

/// Token that was created and not dispatched.
public struct CreatedToken: MessageBody {
    /// The token; its holder can redeem it once.
    public var token: String { sensitiveToken.reveal() }
    private let sensitiveToken: Sensitive<String>
    /// The identifier for the status service.
    public let sessionID: String

    /// A token and the session ID of its ceremony.
    public init(token: String, sessionID: String) {
        sensitiveToken = Sensitive(token)
        self.sessionID = sessionID
    }
}

extension CreatedToken: StrictBody {
    init(json: JSONValue) throws(JSONTypeError) {
        let members = try json.asObject()
        self.init(token: try members.string("token"), sessionID: try members.string("sessionId"))
    }

    var json: JSONValue { .object(["token": .string(token), "sessionId": .string(sessionID)]) }
}

import StrictJSON

/// What the password login answers; the session travels beside it in `Set-Cookie`.
public struct PasswordLoginAnswer: MessageBody {
    /// How it went.
    public let status: String
    /// The external identifier of the user, who registers under this name; nil unless the login succeeded.
    public let externalID: String?

    /// The status of a login that succeeded.
    public static let succeeded = "SUCCEEDED"

    /// An answer.
    public init(status: String, externalID: String?) {
        self.status = status
        self.externalID = externalID
    }
}

extension PasswordLoginAnswer: StrictlyCoded {
    /// Reads a body.
    ///
    /// Throws ``BackendAPIError/malformedBody(offset:)`` or ``BackendAPIError/invalidMember(path:)``.
    public init(body: [UInt8]) throws(BackendAPIError) { self = try Self.read(body: body) }

    /// The UTF-8 text of the document, without white space.
    public var body: [UInt8] { JSONWriter.write(json) }

    init(json: JSONValue) throws(JSONTypeError) {
        let members = try json.asObject()
        self.init(status: try members.string("status"), externalID: try members.optionalString("extId"))
    }

    var json: JSONValue {
        .object(["status": .string(status), "extId": externalID.map(JSONValue.string)])
    }
}

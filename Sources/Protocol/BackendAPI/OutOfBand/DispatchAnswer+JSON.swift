import StrictJSON

extension DispatchAnswer: StrictlyCoded {
    /// Reads a body.
    ///
    /// Throws ``BackendAPIError/malformedBody(offset:)`` or ``BackendAPIError/invalidMember(path:)``.
    public init(body: [UInt8]) throws(BackendAPIError) { self = try Self.read(body: body) }

    /// The UTF-8 text of the document, without white space.
    public var body: [UInt8] { JSONWriter.write(json) }

    init(json: JSONValue) throws(JSONTypeError) {
        let members = try json.asObject()
        self.init(
            result: DispatchResult(rawValue: try members.string("dispatchResult")),
            token: try members.optionalString("token"), sessionID: try members.optionalString("sessionId"),
            dispatcherInformation: try members.optional("dispatcherInformation", DispatcherInformation.init(json:)),
            channelLinking: try members.optional("channelLinking", ShownChannelLinking.init(json:)))
    }

    var json: JSONValue {
        .object([
            "dispatchResult": .string(result.rawValue), "token": token.map(JSONValue.string),
            "sessionId": sessionID.map(JSONValue.string), "dispatcherInformation": dispatcherInformation?.json,
            "channelLinking": channelLinking?.json,
        ])
    }
}

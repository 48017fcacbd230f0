import StrictJSON

extension DispatchRequest: StrictlyCoded {
    /// Reads a body.
    ///
    /// Throws ``BackendAPIError/malformedBody(offset:)`` or ``BackendAPIError/invalidMember(path:)``.
    public init(body: [UInt8]) throws(BackendAPIError) { self = try Self.read(body: body) }

    /// The UTF-8 text of the document, without white space.
    public var body: [UInt8] { JSONWriter.write(json) }

    init(json: JSONValue) throws(JSONTypeError) {
        let members = try json.asObject()
        self.init(
            try members.required("getUafRequest", GetUAFRequest.init(json:)),
            dispatcher: try members.optionalString("dispatcher").map(DispatcherName.init(rawValue:)),
            dispatchTargetID: try members.optionalString("dispatchTargetId"),
            dispatchInformation: try members.optional("dispatchInformation", DispatchInformation.init(json:)),
            channelLinking: try members.optional("channelLinking") { value throws(JSONTypeError) in
                try value.asObject().required("mode", ChannelLinkingMode.init(json:))
            },
            initiatorSession: try members.optional("initiatorSession") { value throws(JSONTypeError) in
                try value.asString(scalarCount: 1...256)
            })
    }

    var json: JSONValue {
        .object([
            "dispatchTargetId": dispatchTargetID.map(JSONValue.string),
            "dispatcher": (dispatcher?.rawValue).map(JSONValue.string),
            "dispatchInformation": dispatchInformation?.json,
            "channelLinking": channelLinking.map { .object(["mode": $0.json]) },
            "initiatorSession": initiatorSession.map(JSONValue.string), "getUafRequest": request.json,
        ])
    }
}

import StrictJSON
import UAF

extension ResponseContext: StrictlyCoded {
    /// Reads the text of a `context` member.
    ///
    /// Throws ``BackendAPIError/unreadableContext(path:)``.
    public init(text: String) throws(BackendAPIError) { self = try Self.read(context: text) }

    /// The text for a `context` member.
    public var text: String { JSONWriter.text(json) }

    init(json: JSONValue) throws(JSONTypeError) {
        let members = try json.asObject()
        self.init(
            asmStatus: try members.optionalInteger("asmStatusCode").map(ASMStatus.init(rawValue:)),
            clientErrorCode: try members.optionalInteger("clientErrorCode").map(ClientErrorCode.init(rawValue:)),
            userAgent: try members.optionalString("userAgent"),
            linkingDigits: try members.optional("channelLinking") { value throws(JSONTypeError) in
                try value.asObject().required("digits") { digits throws(JSONTypeError) in
                    try digits.asLinkingDigits()
                }
            },
            isReported: try members.optional("reported") { value throws(JSONTypeError) in try value.asBool() } ?? false,
            dispatchTarget: try members.optional("dispatchTarget", DispatchTargetProposal.init(json:)))
    }

    var json: JSONValue {
        .object([
            "asmStatusCode": asmStatus.map { .integer($0.rawValue) },
            "clientErrorCode": clientErrorCode.map { .integer($0.rawValue) },
            "userAgent": userAgent.map(JSONValue.string),
            "channelLinking": linkingDigits.map { .object(["digits": .string($0)]) },
            "reported": isReported ? .bool(true) : nil,
            "dispatchTarget": dispatchTarget?.json,
        ])
    }
}

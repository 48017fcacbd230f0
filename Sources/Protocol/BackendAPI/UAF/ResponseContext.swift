import Octets
import StrictJSON
public import UAF

/// Data that a client sends beside its UAF response.
///
/// Members, limits and errors: `docs/web/http-api.md`.
public struct ResponseContext: Sendable {
    /// Status code of the authenticator-specific module when the operation ended on the device without an assertion.
    public let asmStatus: ASMStatus?
    /// Error code of the UAF client in the same case.
    public let clientErrorCode: ClientErrorCode?
    /// The application and device that answered.
    public let userAgent: String?

    /// Digits that the user typed; only in answer to a ``ChannelLinkingDemand``.
    public var linkingDigits: String? { sensitiveLinkingDigits?.reveal() }
    private let sensitiveLinkingDigits: Sensitive<String>?
    /// Whether the user denied the request and reported that it was not theirs.
    public let isReported: Bool
    /// Dispatch target of the device, sent with a registration.
    public let dispatchTarget: DispatchTargetProposal?
    /// Statement about the application that responds; nil where it has none to make.
    public private(set) var appAttestation: AppAttestationStatement?

    /// A context with what there is to say.
    public init(
        asmStatus: ASMStatus? = nil, clientErrorCode: ClientErrorCode? = nil, userAgent: String? = nil,
        linkingDigits: String? = nil, isReported: Bool = false, dispatchTarget: DispatchTargetProposal? = nil
    ) {
        self.asmStatus = asmStatus
        self.clientErrorCode = clientErrorCode
        self.userAgent = userAgent
        sensitiveLinkingDigits = linkingDigits.map(Sensitive.init)
        self.isReported = isReported
        self.dispatchTarget = dispatchTarget
    }

    /// The context with a statement about the application that responds.
    public func stating(_ statement: AppAttestationStatement?) -> ResponseContext {
        var context = self
        context.appAttestation = statement
        return context
    }
}

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
        appAttestation = try members.optional("appAttestation", AppAttestationStatement.init(json:))
    }

    var json: JSONValue {
        .object([
            "asmStatusCode": asmStatus.map { .integer($0.rawValue) },
            "clientErrorCode": clientErrorCode.map { .integer($0.rawValue) },
            "userAgent": userAgent.map(JSONValue.string),
            "channelLinking": linkingDigits.map { .object(["digits": .string($0)]) },
            "reported": isReported ? .bool(true) : nil,
            "dispatchTarget": dispatchTarget?.json,
            "appAttestation": appAttestation?.json,
        ])
    }
}

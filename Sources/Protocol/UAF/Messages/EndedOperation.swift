import StrictJSON

/// Report of a client that an operation ended on the device: a response without any assertion.
///
/// The protocol knows no such message (``OperationResponse`` refuses it); it tells the server that nothing more will
/// come. Header and final challenge belong to the response that will not come.
public struct EndedOperation: Hashable, Sendable {
    /// Copy of the request's header; a deregistration has no response that could fail.
    public let header: OperationHeader
    /// Final challenge parameters that the assertions would have been bound to.
    public let finalChallenge: FinalChallengeParameters
}

extension EndedOperation {
    /// Reads a UAF message that holds exactly one response whose array of assertions is there and empty.
    ///
    /// The version in its header is not judged. Throws ``MessageError``, also for a response with assertions.
    public init(message: [UInt8], rules: DecodingRules = .strict) throws(MessageError) {
        self = try MessageEnvelope(message, rules: rules).onlyElement { element throws(JSONTypeError) in
            try Self(json: element, rules: rules)
        }
    }

    private init(json: JSONValue, rules: DecodingRules) throws(JSONTypeError) {
        let operation = try MessageEnvelope.operation(of: json, rules: rules)
        guard operation != .deregistration else { throw JSONTypeError(path: ["header", "op"], .invalidForm) }
        let members = try json.asObject()
        guard case .array(let assertions) = members["assertions"], assertions.isEmpty else {
            throw JSONTypeError(path: ["assertions"], .invalidForm)
        }
        self.init(
            header: try OperationHeader.read(from: members, of: operation, inRequest: false, rules: rules),
            finalChallenge: try members.required("fcParams", rules: rules))
    }
}

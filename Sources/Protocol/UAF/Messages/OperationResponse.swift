package import StrictJSON

/// A response of any kind, as a server receives it; a deregistration has none.
public enum OperationResponse: Hashable, Sendable {
    /// Keys were made.
    case registration(RegistrationResponse)
    /// Possession of keys is claimed.
    case authentication(AuthenticationResponse)

    /// The header.
    public var header: OperationHeader {
        switch self {
        case .registration(let response): response.header
        case .authentication(let response): response.header
        }
    }

    /// Reads a UAF message that holds exactly one response.
    ///
    /// The version in its header is not judged. Throws ``MessageError``.
    public init(message: [UInt8], rules: DecodingRules = .strict) throws(MessageError) {
        let element = try MessageEnvelope(message, rules: rules).onlyElement()
        do throws(JSONTypeError) {
            try self.init(json: element, rules: rules)
        } catch {
            throw MessageError(error)
        }
    }

    /// The UAF message: an array of this one response, in UTF-8.
    public var message: [UInt8] { JSONWriter.write(.array([json])) }
}

extension OperationResponse: JSONCoded {
    package init(json: JSONValue, rules: DecodingRules) throws(JSONTypeError) {
        switch try MessageEnvelope.operation(of: json, rules: rules) {
        case .registration: self = .registration(try RegistrationResponse(json: json, rules: rules))
        case .authentication: self = .authentication(try AuthenticationResponse(json: json, rules: rules))
        case .deregistration: throw JSONTypeError(path: ["header", "op"], .invalidForm)
        }
    }

    package var json: JSONValue {
        switch self {
        case .registration(let response): response.json
        case .authentication(let response): response.json
        }
    }
}

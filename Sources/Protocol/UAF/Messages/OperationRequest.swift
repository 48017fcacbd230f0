package import StrictJSON

/// A request of any kind, as a client receives it.
public enum OperationRequest: Hashable, Sendable {
    /// Make a key.
    case registration(RegistrationRequest)
    /// Prove possession of a key.
    case authentication(AuthenticationRequest)
    /// Forget keys.
    case deregistration(DeregistrationRequest)

    /// The header.
    public var header: OperationHeader {
        switch self {
        case .registration(let request): request.header
        case .authentication(let request): request.header
        case .deregistration(let request): request.header
        }
    }

    /// Reads a UAF message and takes the request with the highest version that is supported.
    ///
    /// FIDO UAF Protocol 1.1, 3.4.6.1 and 5.2 here: every element must name its version; of the elements only the chosen
    /// one is read further. Throws ``MessageError``, whose ``MessageError/clientErrorCode`` is what a client reports.
    /// Extensions of the header and of criteria are not judged, see `requireKnown(_:)`.
    public init(
        message: [UInt8], supporting versions: Set<ProtocolVersion> = [.version11], rules: DecodingRules = .strict
    ) throws(MessageError) {
        let envelope = try MessageEnvelope(message, rules: rules)
        let element = try envelope.element(highestOf: versions)
        do throws(JSONTypeError) {
            try self.init(json: element, rules: rules)
        } catch {
            throw MessageError(error)
        }
    }

    /// The UAF message: an array of this one request, in UTF-8.
    public var message: [UInt8] { JSONWriter.write(.array([json])) }
}

extension OperationRequest: JSONCoded {
    package init(json: JSONValue, rules: DecodingRules) throws(JSONTypeError) {
        switch try MessageEnvelope.operation(of: json, rules: rules) {
        case .registration: self = .registration(try RegistrationRequest(json: json, rules: rules))
        case .authentication: self = .authentication(try AuthenticationRequest(json: json, rules: rules))
        case .deregistration: self = .deregistration(try DeregistrationRequest(json: json, rules: rules))
        }
    }

    package var json: JSONValue {
        switch self {
        case .registration(let request): request.json
        case .authentication(let request): request.json
        case .deregistration(let request): request.json
        }
    }
}

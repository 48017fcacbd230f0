package import StrictJSON

/// UAF operation of a message; the raw value is the wire spelling, which is case-sensitive.
///
/// FIDO UAF Protocol 1.1, 3.1.2.
public enum OperationKind: String, Hashable, Sendable, CaseIterable {
    /// Makes a key.
    case registration = "Reg"
    /// Proves possession of a key, with or without a transaction to confirm.
    case authentication = "Auth"
    /// Forgets keys.
    case deregistration = "Dereg"
}

extension OperationKind: JSONCoded {
    package init(json: consuming JSONValue, rules: DecodingRules) throws(JSONTypeError) {
        switch try json.asString() {
        case Self.registration.rawValue: self = .registration
        case Self.authentication.rawValue: self = .authentication
        case Self.deregistration.rawValue: self = .deregistration
        default: throw JSONTypeError(.invalidForm)
        }
    }

    package var json: JSONValue { .string(rawValue) }
}

/// A request of any kind, as a client receives it.
///
/// ```swift
/// switch try OperationRequest(message: message) {
/// case .registration(let request): makeKey(for: request.username, under: request.policy)
/// case .authentication(let request): sign(request.challenge, under: request.policy)
/// case .deregistration(let request): forget(request.keysToForget(among: held))
/// }
/// ```
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
    /// FIDO UAF Protocol 1.1, 3.4.6.1 and 5.2 here: every element must name its version; of the elements only the
    /// chosen one is read further. Throws ``MessageError``, whose ``MessageError/clientErrorCode`` is what a client
    /// reports. Extensions of the header and of criteria are not judged, see `requireKnown(_:)`.
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
    package init(json: consuming JSONValue, rules: DecodingRules) throws(JSONTypeError) {
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

/// A response of any kind, as a server receives it; a deregistration has none.
///
/// ```swift
/// if case .registration(let response) = try OperationResponse(message: message) {
///     for entry in response.assertions where entry.scheme == .uafV1TLV {
///         let assertion = try RegistrationAssertion(octets: try entry.octets())
///         let data = assertion.keyRegistrationData
///         verify(assertion.attestation.signature, over: data.octets, of: data.credential)
///     }
/// }
/// ```
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
        self = try MessageEnvelope(message, rules: rules).onlyElement { element throws(JSONTypeError) in
            try Self(json: element, rules: rules)
        }
    }

    /// The UAF message: an array of this one response, in UTF-8.
    public var message: [UInt8] { JSONWriter.write(.array([json])) }
}

extension OperationResponse: JSONCoded {
    package init(json: consuming JSONValue, rules: DecodingRules) throws(JSONTypeError) {
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

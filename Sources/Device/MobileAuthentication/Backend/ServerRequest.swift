import UAF
import UAFClient

/// A UAF request that an operation waits for.
protocol ServerRequest: Sendable {
    var header: OperationHeader { get }

    /// Takes the request from a message of the right kind; nil for another kind.
    init?(_ request: OperationRequest)
}

extension ServerRequest {
    /// Decodes a UAF message: version, every member, and extensions that must not be ignored (FIDO UAF Protocol 1.1
    /// section 3.4.6.1).
    init(message: String) throws(MessageError) {
        let request = try OperationRequest(message: Array(message.utf8), rules: .device)
        guard let read = Self(request) else { throw .invalidMember(path: ["header", "op"], .invalidForm) }
        try request.header.extensions.requireKnown([])
        self = read
    }
}

extension DecodingRules {
    /// Decoding rules of the client: the protocol's, with a higher limit for transaction texts.
    static var device: DecodingRules {
        var rules = DecodingRules.strict
        rules.transactionTextByteLimit = TransactionText.byteLimit
        return rules
    }
}

extension OperationRequest: ServerRequest {
    init?(_ request: OperationRequest) { self = request }
}

extension RegistrationRequest: ServerRequest {
    init?(_ request: OperationRequest) {
        guard case .registration(let request) = request else { return nil }
        self = request
    }
}

extension AuthenticationRequest: ServerRequest {
    init?(_ request: OperationRequest) {
        guard case .authentication(let request) = request else { return nil }
        self = request
    }
}

extension DeregistrationRequest: ServerRequest {
    init?(_ request: OperationRequest) {
        guard case .deregistration(let request) = request else { return nil }
        self = request
    }
}

package import StrictJSON

/// User verification method with its stated accuracy.
///
/// FIDO Metadata Statements 1.1, 3.5 (`VerificationMethodDescriptor`).
public struct VerificationMethod: Hashable, Sendable {
    /// Rate limit of guesses; 0 retries means no limit, 0 seconds slowdown blocked until another method.
    public struct Limits: Hashable, Sendable {
        /// Failed attempts before the method is blocked.
        public var maxRetries: UInt16?
        /// Seconds the method is blocked for.
        public var blockSlowdown: UInt16?

        /// Creates limits.
        public init(maxRetries: UInt16? = nil, blockSlowdown: UInt16? = nil) {
            self.maxRetries = maxRetries
            self.blockSlowdown = blockSlowdown
        }
    }

    /// Stated strength of the method.
    public enum Accuracy: Hashable, Sendable {
        /// A code: size of its alphabet and least length (`CodeAccuracyDescriptor`).
        case code(base: UInt16, minLength: UInt16, Limits)
        /// A biometric (`BiometricAccuracyDescriptor`).
        case biometric(BiometricRates, Limits)
        /// A drawn pattern: number of possible patterns (`PatternAccuracyDescriptor`).
        case pattern(minComplexity: UInt32, Limits)
    }

    /// Error rates of a biometric, each as the decimal number the statement writes.
    public struct BiometricRates: Hashable, Sendable {
        /// False acceptance rate.
        public var falseAcceptance: String?
        /// False rejection rate.
        public var falseRejection: String?
        /// Equal error rate.
        public var equalError: String?
        /// False artefact acceptance rate.
        public var falseArtefactAcceptance: String?
        /// Most reference data sets that can be enrolled.
        public var maxReferenceDataSets: UInt16?

        /// Creates an accuracy without any figures.
        public init() {}
    }

    /// The method; a statement that follows the specification sets one bit.
    public let userVerification: UserVerification
    /// Its strength, if stated.
    public let accuracy: Accuracy?

    /// Creates a method.
    public init(_ userVerification: UserVerification, accuracy: Accuracy? = nil) {
        self.userVerification = userVerification
        self.accuracy = accuracy
    }
}

extension VerificationMethod: JSONCoded {
    package init(json: JSONValue, rules: DecodingRules) throws(JSONTypeError) {
        let members = try json.asObject()
        let code = try members.optional("caDesc", Self.code)
        let biometric = try members.optional("baDesc", Self.biometric)
        let pattern = try members.optional("paDesc", Self.pattern)
        self.init(
            try members.required("userVerification", rules: rules), accuracy: code ?? biometric ?? pattern)
    }

    package var json: JSONValue {
        var members = JSONObject(["userVerification": userVerification.json])
        switch accuracy {
        case nil: break
        case .code(let base, let minLength, let limits):
            members.append("caDesc", limits.json(after: ["base": .integer(base), "minLength": .integer(minLength)]))
        case .biometric(let rates, let limits):
            members.append("baDesc", limits.json(after: rates.members))
        case .pattern(let minComplexity, let limits):
            members.append("paDesc", limits.json(after: ["minComplexity": .integer(minComplexity)]))
        }
        return .object(members)
    }

    private static func code(_ json: JSONValue) throws(JSONTypeError) -> Accuracy {
        let members = try json.asObject()
        return .code(
            base: try members.requiredInteger("base"), minLength: try members.requiredInteger("minLength"),
            try Limits(members))
    }

    private static func biometric(_ json: JSONValue) throws(JSONTypeError) -> Accuracy {
        let members = try json.asObject()
        return .biometric(try BiometricRates(members), try Limits(members))
    }

    private static func pattern(_ json: JSONValue) throws(JSONTypeError) -> Accuracy {
        let members = try json.asObject()
        return .pattern(minComplexity: try members.requiredInteger("minComplexity"), try Limits(members))
    }
}

extension VerificationMethod.Limits {
    fileprivate init(_ members: JSONObject) throws(JSONTypeError) {
        self.init(
            maxRetries: try members.optionalInteger("maxRetries"),
            blockSlowdown: try members.optionalInteger("blockSlowdown"))
    }

    fileprivate func json(after members: KeyValuePairs<String, JSONValue?>) -> JSONValue {
        var object = JSONObject(members)
        object.append("maxRetries", maxRetries.map { .integer($0) })
        object.append("blockSlowdown", blockSlowdown.map { .integer($0) })
        return .object(object)
    }
}

extension VerificationMethod.BiometricRates {
    fileprivate init(_ members: JSONObject) throws(JSONTypeError) {
        self.init()
        falseAcceptance = try members.optional("FAR", Self.rate)
        falseRejection = try members.optional("FRR", Self.rate)
        equalError = try members.optional("EER", Self.rate)
        falseArtefactAcceptance = try members.optional("FAAR", Self.rate)
        maxReferenceDataSets = try members.optionalInteger("maxReferenceDataSets")
    }

    private static func rate(_ json: JSONValue) throws(JSONTypeError) -> String {
        guard case .number(let number) = json else {
            throw JSONTypeError(.wrongKind(expected: .number, found: json.kind))
        }
        return number.text
    }

    fileprivate var members: KeyValuePairs<String, JSONValue?> {
        [
            "FAR": number(falseAcceptance), "FRR": number(falseRejection), "EER": number(equalError),
            "FAAR": number(falseArtefactAcceptance), "maxReferenceDataSets": maxReferenceDataSets.map { .integer($0) },
        ]
    }

    /// The rate as the number it was written as; a text that is no number is left out.
    private func number(_ rate: String?) -> JSONValue? {
        guard let rate, let value = try? JSONParser.parse(rate), case .number = value else { return nil }
        return value
    }
}

/// One way of verifying a user, with how good it is.
///
/// FIDO Metadata Statements 1.1, 3.5 (`VerificationMethodDescriptor`).
public struct VerificationMethod: Hashable, Sendable {
    /// How often and how fast one may guess; 0 retries means no limit, 0 seconds slowdown blocked until another method.
    public struct Limits: Hashable, Sendable {
        /// Failed attempts before the method is blocked.
        public var maxRetries: UInt16?
        /// Seconds the method is blocked for.
        public var blockSlowdown: UInt16?

        /// States limits.
        public init(maxRetries: UInt16? = nil, blockSlowdown: UInt16? = nil) {
            self.maxRetries = maxRetries
            self.blockSlowdown = blockSlowdown
        }
    }

    /// What is known of the method's strength.
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

        /// States nothing yet.
        public init() {}
    }

    /// The method; a statement that follows the specification sets one bit.
    public let userVerification: UserVerification
    /// Its strength, if stated.
    public let accuracy: Accuracy?

    /// States a method.
    public init(_ userVerification: UserVerification, accuracy: Accuracy? = nil) {
        self.userVerification = userVerification
        self.accuracy = accuracy
    }
}

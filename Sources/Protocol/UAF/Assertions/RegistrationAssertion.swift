/// A registration assertion of the scheme `UAFV1TLV`.
///
/// FIDO UAF Authenticator Commands 1.1, 5.2.1 (`TAG_UAFV1_REG_ASSERTION`).
///
/// ```swift
/// let data = try KeyRegistrationData(
///     credential: credential,
///     info: AssertionInfo(
///         authenticatorVersion: 1, mode: .userVerified, signatureAlgorithm: .secp256r1ECDSASHA256DER),
///     finalChallengeHash: parameters.hash, counters: .unsupported,
///     publicKey: EncodedPublicKey(format: .eccX962DER, octets: publicKey))
/// let assertion = RegistrationAssertion(
///     keyRegistrationData: data, attestation: .surrogate(signature: sign(data.octets)))
/// let octets = try assertion.encoded()
/// ```
public struct RegistrationAssertion: Hashable, Sendable {
    /// Largest assertion in bytes (FIDO UAF Protocol 1.1, 3.4.2).
    public static let byteLimit = 4096

    /// The signed part.
    public let keyRegistrationData: KeyRegistrationData
    /// The signature over it.
    public let attestation: Attestation
    /// Extensions beside the signed part; any party on the way can add or remove them.
    public let unsignedExtensions: [AssertionExtension]

    /// Creates an assertion.
    public init(
        keyRegistrationData: KeyRegistrationData, attestation: Attestation,
        unsignedExtensions: [AssertionExtension] = []
    ) {
        self.keyRegistrationData = keyRegistrationData
        self.attestation = attestation
        self.unsignedExtensions = unsignedExtensions
    }
}

extension RegistrationAssertion {
    private static let repeatable = Attestation.tags + [.criticalExtension, .noncriticalExtension]

    /// Reads the bytes of an assertion.
    ///
    /// The bytes hold exactly one assertion, its fields in any order. Signatures, hashes and values that only a server
    /// can judge (mode, algorithms) are not looked at. Throws ``TLVError`` with the position of the fault.
    public init(octets: [UInt8]) throws(TLVError) {
        guard octets.count <= Self.byteLimit else {
            throw .tooLarge(byteCount: octets.count, limit: Self.byteLimit)
        }
        let element = try TLVReader.readOnly(.registrationAssertion, from: octets)
        let fields = try TLVFields(
            of: element, single: [.keyRegistrationData],
            repeatable: Self.repeatable)
        self.init(
            keyRegistrationData: try KeyRegistrationData(try fields.required(.keyRegistrationData)),
            attestation: try Attestation(in: fields),
            unsignedExtensions: try AssertionExtension.all(in: fields))
    }

    /// The bytes of the assertion; the signed part goes in as it is.
    ///
    /// Throws ``TLVError/tooLarge(byteCount:limit:)`` or ``TLVError/valueTooLong(_:byteCount:)`` when it does not fit.
    public func encoded() throws(TLVError) -> [UInt8] {
        var writer = TLVWriter()
        try writer.write(.registrationAssertion) { writer throws(TLVError) in
            writer.write(encoded: keyRegistrationData.element.octets)
            try attestation.write(to: &writer)
            try writer.write(unsignedExtensions)
        }
        guard writer.octets.count <= Self.byteLimit else {
            throw .tooLarge(byteCount: writer.octets.count, limit: Self.byteLimit)
        }
        return writer.octets
    }
}

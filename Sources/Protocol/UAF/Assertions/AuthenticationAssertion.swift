/// An authentication assertion of the scheme `UAFV1TLV`.
///
/// FIDO UAF Authenticator Commands 1.1, 5.2.2 (`TAG_UAFV1_AUTH_ASSERTION`).
///
/// ```swift
/// let signedData = try SignedData(
///     credential: credential, info: info, nonce: nonce,
///     hashes: BoundHashes(finalChallenge: parameters.hash), signCounter: 0)
/// let assertion = AuthenticationAssertion(signedData: signedData, signature: sign(signedData.octets))
/// let octets = try assertion.encoded()
/// ```
public struct AuthenticationAssertion: Hashable, Sendable {
    /// Largest assertion in bytes (FIDO UAF Protocol 1.1, 3.5.4).
    public static let byteLimit = 4096

    /// The signed part.
    public let signedData: SignedData
    /// The signature over it, as the declared algorithm spells it; not empty.
    public var signature: [UInt8] { Array(signatureOctets) }
    /// The signature, as a part of the assertion that it was read from.
    package let signatureOctets: ArraySlice<UInt8>
    /// Extensions beside the signed part; any party on the way can add or remove them.
    public let unsignedExtensions: [AssertionExtension]

    /// Creates an assertion.
    public init(signedData: SignedData, signature: [UInt8], unsignedExtensions: [AssertionExtension] = []) {
        self.init(signedData: signedData, signature: signature[...], unsignedExtensions: unsignedExtensions)
    }

    private init(signedData: SignedData, signature: ArraySlice<UInt8>, unsignedExtensions: [AssertionExtension]) {
        self.signedData = signedData
        signatureOctets = signature
        self.unsignedExtensions = unsignedExtensions
    }
}

extension AuthenticationAssertion {
    /// Reads the bytes of an assertion.
    ///
    /// The bytes hold exactly one assertion, its fields in any order. The signature, hashes and values that only a
    /// server can judge (mode, algorithm) are not looked at. Throws ``TLVError`` with the position of the fault.
    public init(octets: [UInt8]) throws(TLVError) {
        guard octets.count <= Self.byteLimit else {
            throw .tooLarge(byteCount: octets.count, limit: Self.byteLimit)
        }
        let element = try TLVReader.readOnly(.authenticationAssertion, from: octets)
        let fields = try TLVFields(
            of: element, single: [.signedData, .signature],
            repeatable: [.criticalExtension, .noncriticalExtension])
        self.init(
            signedData: try SignedData(try fields.required(.signedData)),
            signature: try fields.required(.signature).value(byteCounts: 1...),
            unsignedExtensions: try AssertionExtension.all(in: fields))
    }

    /// The bytes of the assertion; the signed part goes in as it is.
    ///
    /// Throws ``TLVError/tooLarge(byteCount:limit:)`` or ``TLVError/valueTooLong(_:byteCount:)`` when it does not fit.
    public func encoded() throws(TLVError) -> [UInt8] {
        var writer = TLVWriter()
        try writer.write(.authenticationAssertion) { writer throws(TLVError) in
            writer.write(encoded: signedData.element.octets)
            try writer.write(.signature, signatureOctets)
            try writer.write(unsignedExtensions)
        }
        guard writer.octets.count <= Self.byteLimit else {
            throw .tooLarge(byteCount: writer.octets.count, limit: Self.byteLimit)
        }
        return writer.octets
    }
}

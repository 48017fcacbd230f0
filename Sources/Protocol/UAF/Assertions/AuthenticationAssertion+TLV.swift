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
            signature: try fields.requiredOctets(.signature),
            unsignedExtensions: try AssertionExtension.all(in: fields))
    }

    /// The bytes of the assertion; the signed part goes in as it is.
    ///
    /// Throws ``TLVError/tooLarge(byteCount:limit:)`` or ``TLVError/valueTooLong(_:byteCount:)`` when it does not fit.
    public func encoded() throws(TLVError) -> [UInt8] {
        var writer = TLVWriter()
        try writer.write(.authenticationAssertion) { writer throws(TLVError) in
            writer.write(encoded: signedData.octets)
            try writer.write(.signature, signature)
            try writer.write(unsignedExtensions)
        }
        guard writer.octets.count <= Self.byteLimit else {
            throw .tooLarge(byteCount: writer.octets.count, limit: Self.byteLimit)
        }
        return writer.octets
    }
}

import Octets

extension SignedData {
    /// Least length of the authenticator's nonce in bytes.
    public static let leastNonceByteCount = 8

    private static let single: [TLVTag] = [
        .aaid, .assertionInfo, .authenticatorNonce, .finalChallengeHash, .transactionContentHash, .keyID, .counters,
        .userVerificationIndex, .userVerificationState,
    ]

    /// Reads the element; every mandatory field must be there, once, not empty and of its fixed size.
    init(_ element: TLVElement) throws(TLVError) {
        let fields = try TLVFields(
            of: element, single: Self.single, repeatable: [.criticalExtension, .noncriticalExtension])
        let hashes = BoundHashes(
            finalChallenge: try fields.requiredOctets(.finalChallengeHash),
            transactionContent: Array(try fields.required(.transactionContentHash).value))
        self.init(
            octets: Array(element.octets), credential: try CredentialID(in: fields),
            info: try fields.required(.assertionInfo).fields { reader throws(OctetError) in
                try AssertionInfo(from: &reader)
            },
            nonce: Array(try fields.required(.authenticatorNonce).value(byteCounts: Self.leastNonceByteCount...)),
            hashes: hashes,
            signCounter: try fields.required(.counters).fields { reader throws(OctetError) in
                try reader.readUInt32LittleEndian()
            },
            extensions: try AssertionExtension.all(in: fields), userVerification: try UserVerificationRecord(in: fields)
        )
    }

    /// Builds the element; ``octets`` are then the bytes that the key has to sign.
    ///
    /// Throws ``TLVError/valueTooLong(_:byteCount:)`` when a part does not fit.
    public init(
        credential: CredentialID, info: AssertionInfo, nonce: [UInt8], hashes: BoundHashes, signCounter: UInt32,
        extensions: [AssertionExtension] = []
    ) throws(TLVError) {
        var counter = OctetWriter(capacity: 4)
        counter.writeUInt32LittleEndian(signCounter)
        var writer = TLVWriter()
        try writer.write(.signedData) { writer throws(TLVError) in
            try writer.write(.aaid, credential.aaid.text.utf8)
            try writer.write(.assertionInfo, info.octets())
            try writer.write(.authenticatorNonce, nonce)
            try writer.write(.finalChallengeHash, hashes.finalChallenge)
            try writer.write(.transactionContentHash, hashes.transactionContent)
            try writer.write(.keyID, credential.keyID.octets)
            try writer.write(.counters, counter.bytes)
            try writer.write(extensions)
        }
        self.init(
            octets: writer.octets, credential: credential, info: info, nonce: nonce, hashes: hashes,
            signCounter: signCounter, extensions: extensions, userVerification: UserVerificationRecord())
    }
}

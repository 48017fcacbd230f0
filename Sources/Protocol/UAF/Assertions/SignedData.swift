import Octets

/// The signed part of an authentication assertion.
///
/// FIDO UAF Authenticator Commands 1.1, 5.2.2 (`TAG_UAFV1_SIGNED_DATA`). It keeps the bytes it was read from or was
/// built into; those are what the signature covers.
public struct SignedData: Hashable, Sendable {
    /// The complete element (tag, length and value): the bytes to sign or to verify.
    public let octets: [UInt8]
    /// AAID and KeyID of the key that signs.
    public let credential: CredentialID
    /// Version, mode and algorithm of the signature.
    public let info: AssertionInfo
    /// Random bytes of the authenticator, at least 8.
    public let nonce: [UInt8]
    /// Hashes that bind the signature to the challenge and the transaction.
    public let hashes: BoundHashes
    /// Signatures made so far; 0 when the authenticator does not count.
    public let signCounter: UInt32
    /// Signed extensions, in order.
    public let extensions: [AssertionExtension]
    /// Pseudonyms of the user data that was verified.
    public let userVerification: UserVerificationRecord
}

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

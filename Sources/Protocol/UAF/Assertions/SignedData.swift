import Octets

/// The signed part of an authentication assertion.
///
/// FIDO UAF Authenticator Commands 1.1, 5.2.2 (`TAG_UAFV1_SIGNED_DATA`). It keeps the bytes it was read from or was
/// built into; those are what the signature covers.
public struct SignedData: Sendable {
    /// The complete element; nothing of it is copied before it is asked for.
    package let element: TLVElement
    /// AAID and KeyID of the key that signs.
    public let credential: CredentialID
    /// Version, mode and algorithm of the signature.
    public let info: AssertionInfo
    /// Signatures made so far; 0 when the authenticator does not count.
    public let signCounter: UInt32
    /// Signed extensions, in order.
    public let extensions: [AssertionExtension]
}

extension SignedData {
    /// The complete element (tag, length and value): the bytes to sign or to verify.
    public var octets: [UInt8] { Array(element.octets) }
    /// Random bytes of the authenticator, at least 8.
    public var nonce: [UInt8] { Array(element.known(.authenticatorNonce) ?? []) }
    /// Hashes that bind the signature to the challenge and the transaction.
    public var hashes: BoundHashes {
        BoundHashes(
            finalChallenge: Array(finalChallengeHashOctets), transactionContent: Array(transactionContentOctets))
    }
    /// Pseudonyms of the user data that was verified.
    public var userVerification: UserVerificationRecord { UserVerificationRecord(in: element) }

    /// Hash of the `fcParams` text, as a part of ``octets``.
    package var finalChallengeHashOctets: ArraySlice<UInt8> { element.known(.finalChallengeHash) ?? [] }
    /// Hash of the confirmed content, as a part of ``octets``; empty when there was none.
    package var transactionContentOctets: ArraySlice<UInt8> { element.known(.transactionContentHash) ?? [] }
}

extension SignedData: Hashable {
    /// Whether both are the same bytes; everything else is read from them.
    public static func == (left: SignedData, right: SignedData) -> Bool { left.element.octets == right.element.octets }

    /// Hashes the bytes that `==` compares.
    public func hash(into hasher: inout Hasher) { hasher.combine(element.octets) }
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
        try fields.require(.finalChallengeHash, byteCounts: 1...)
        try fields.require(.transactionContentHash)
        credential = try CredentialID(in: fields)
        info = try fields.required(.assertionInfo).fields { reader throws(OctetError) in
            try AssertionInfo(from: &reader)
        }
        try fields.require(.authenticatorNonce, byteCounts: Self.leastNonceByteCount...)
        signCounter = try fields.required(.counters).fields { reader throws(OctetError) in
            try reader.readUInt32LittleEndian()
        }
        extensions = try AssertionExtension.all(in: fields)
        try UserVerificationRecord.requireForm(in: fields)
        self.element = element
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
        element = TLVElement(tag: .signedData, octets: writer.octets[...])
        (self.credential, self.info, self.signCounter, self.extensions) = (credential, info, signCounter, extensions)
    }
}

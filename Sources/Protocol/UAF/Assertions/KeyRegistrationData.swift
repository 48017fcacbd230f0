import Octets

/// The signed part of a registration assertion.
///
/// FIDO UAF Authenticator Commands 1.1, 5.2.1 (`TAG_UAFV1_KRD`). It keeps the bytes it was read from or was built into;
/// those are what the attestation signature covers.
public struct KeyRegistrationData: Sendable {
    /// The complete element; nothing of it is copied before it is asked for.
    package let element: TLVElement
    /// AAID and KeyID of the new key.
    public let credential: CredentialID
    /// Version, mode and algorithm of the attestation signature.
    public let info: AssertionInfo
    /// Counters of the authenticator.
    public let counters: Counters
    /// The claimed format of the new public key.
    package let publicKeyFormat: PublicKeyFormat
    /// Signed extensions, in order.
    public let extensions: [AssertionExtension]
}

extension KeyRegistrationData {
    /// The complete element (tag, length and value): the bytes to sign or to verify.
    public var octets: [UInt8] { Array(element.octets) }
    /// Hash of the `fcParams` text.
    public var finalChallengeHash: [UInt8] { Array(finalChallengeHashOctets) }
    /// Hash of the `fcParams` text, as a part of ``octets``.
    package var finalChallengeHashOctets: ArraySlice<UInt8> { element.known(.finalChallengeHash) ?? [] }
    /// The new public key.
    public var publicKey: EncodedPublicKey {
        EncodedPublicKey(format: publicKeyFormat, octets: Array(element.known(.publicKey) ?? []))
    }
    /// Pseudonyms of the user data that was verified.
    public var userVerification: UserVerificationRecord { UserVerificationRecord(in: element) }
}

extension KeyRegistrationData: Hashable {
    /// Whether both are the same bytes; everything else is read from them.
    public static func == (left: KeyRegistrationData, right: KeyRegistrationData) -> Bool {
        left.element.octets == right.element.octets
    }

    /// Hashes the bytes that `==` compares.
    public func hash(into hasher: inout Hasher) { hasher.combine(element.octets) }
}

extension KeyRegistrationData {
    // A nonce is not part of this element, but authenticators in the field put one there.
    private static let single: [TLVTag] = [
        .aaid, .assertionInfo, .finalChallengeHash, .keyID, .counters, .publicKey, .authenticatorNonce,
        .userVerificationIndex, .userVerificationState,
    ]

    /// Reads the element; every mandatory field must be there, once, not empty and of its fixed size.
    init(_ element: TLVElement) throws(TLVError) {
        let fields = try TLVFields(
            of: element, single: Self.single, repeatable: [.criticalExtension, .noncriticalExtension])
        credential = try CredentialID(in: fields)
        (info, publicKeyFormat) = try fields.required(.assertionInfo).fields { reader throws(OctetError) in
            (
                try AssertionInfo(from: &reader),
                PublicKeyFormat(rawValue: try reader.readUInt16LittleEndian())
            )
        }
        counters = try fields.required(.counters).fields { reader throws(OctetError) in
            Counters(
                signatures: try reader.readUInt32LittleEndian(), registrations: try reader.readUInt32LittleEndian())
        }
        try fields.require(.finalChallengeHash, byteCounts: 1...)
        try fields.require(.publicKey, byteCounts: 1...)
        extensions = try AssertionExtension.all(in: fields)
        try UserVerificationRecord.requireForm(in: fields)
        self.element = element
    }

    /// Builds the element; ``octets`` are then the bytes that the attestation has to sign.
    ///
    /// Throws ``TLVError/valueTooLong(_:byteCount:)`` when a part does not fit.
    public init(
        credential: CredentialID, info: AssertionInfo, finalChallengeHash: [UInt8], counters: Counters,
        publicKey: EncodedPublicKey, extensions: [AssertionExtension] = []
    ) throws(TLVError) {
        var writer = TLVWriter()
        try writer.write(.keyRegistrationData) { writer throws(TLVError) in
            try writer.write(.aaid, credential.aaid.text.utf8)
            try writer.write(.assertionInfo, info.octets(publicKeyFormat: publicKey.format))
            try writer.write(.finalChallengeHash, finalChallengeHash)
            try writer.write(.keyID, credential.keyID.octets)
            try writer.write(.counters, counters.octets)
            try writer.write(.publicKey, publicKey.octets)
            try writer.write(extensions)
        }
        element = TLVElement(tag: .keyRegistrationData, octets: writer.octets[...])
        (self.credential, self.info, self.counters, self.extensions) = (credential, info, counters, extensions)
        publicKeyFormat = publicKey.format
    }
}

extension Counters {
    fileprivate var octets: [UInt8] {
        var writer = OctetWriter(capacity: 8)
        writer.writeUInt32LittleEndian(signatures)
        writer.writeUInt32LittleEndian(registrations)
        return writer.bytes
    }
}

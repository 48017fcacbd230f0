import Octets

/// The signed part of a registration assertion.
///
/// FIDO UAF Authenticator Commands 1.1, 5.2.1 (`TAG_UAFV1_KRD`). It keeps the bytes it was read from or was built into;
/// those are what the attestation signature covers.
public struct KeyRegistrationData: Hashable, Sendable {
    /// The complete element (tag, length and value): the bytes to sign or to verify.
    public let octets: [UInt8]
    /// AAID and KeyID of the new key.
    public let credential: CredentialID
    /// Version, mode and algorithm of the attestation signature.
    public let info: AssertionInfo
    /// Hash of the `fcParams` text.
    public let finalChallengeHash: [UInt8]
    /// Counters of the authenticator.
    public let counters: Counters
    /// The new public key.
    public let publicKey: EncodedPublicKey
    /// Signed extensions, in order.
    public let extensions: [AssertionExtension]
    /// Pseudonyms of the user data that was verified.
    public let userVerification: UserVerificationRecord
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
        let credential = try CredentialID(in: fields)
        let (info, format) = try fields.required(.assertionInfo).fields { reader throws(OctetError) in
            (
                try AssertionInfo(from: &reader),
                PublicKeyFormat(rawValue: try reader.readUInt16LittleEndian())
            )
        }
        let counters = try fields.required(.counters).fields { reader throws(OctetError) in
            Counters(
                signatures: try reader.readUInt32LittleEndian(), registrations: try reader.readUInt32LittleEndian())
        }
        self.init(
            octets: Array(element.octets), credential: credential, info: info,
            finalChallengeHash: try fields.requiredOctets(.finalChallengeHash), counters: counters,
            publicKey: EncodedPublicKey(format: format, octets: try fields.requiredOctets(.publicKey)),
            extensions: try AssertionExtension.all(in: fields), userVerification: try UserVerificationRecord(in: fields)
        )
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
        self.init(
            octets: writer.octets, credential: credential, info: info, finalChallengeHash: finalChallengeHash,
            counters: counters, publicKey: publicKey, extensions: extensions,
            userVerification: UserVerificationRecord())
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

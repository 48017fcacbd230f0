import CTSS2

/// Public area of a new object of the chip (TPM 2.0, part 2, section 12.2).
///
/// No object of ours takes part in the chip's own lockout (`noda`): that one counter serves everything on the machine,
/// and power cuts count in it.
enum KeyTemplate {
    /// Bound to this chip for ever, made by the chip, not part of its own lockout.
    private static let fixed =
        TPMA_OBJECT(TPMA_OBJECT_FIXEDTPM) | TPMA_OBJECT(TPMA_OBJECT_FIXEDPARENT) | TPMA_OBJECT(TPMA_OBJECT_NODA)
    private static let generated = TPMA_OBJECT(TPMA_OBJECT_SENSITIVEDATAORIGIN)
    private static let byValue = TPMA_OBJECT(TPMA_OBJECT_USERWITHAUTH)

    static let parentAttributes =
        fixed | generated | byValue | TPMA_OBJECT(TPMA_OBJECT_RESTRICTED) | TPMA_OBJECT(TPMA_OBJECT_DECRYPT)

    /// The storage root key on P-256 as the TCG describes it: the same key every time, until the chip is cleared.
    static func storageParent() -> TPM2B_PUBLIC {
        var template = curve(attributes: parentAttributes, policy: nil)
        template.publicArea.parameters.eccDetail.symmetric.algorithm = TPM2_ALG_ID(TPM2_ALG_AES)
        template.publicArea.parameters.eccDetail.symmetric.keyBits.aes = 128
        template.publicArea.parameters.eccDetail.symmetric.mode.aes = TPM2_ALG_ID(TPM2_ALG_CFB)
        let zeros = TPM2B_ECC_PARAMETER([UInt8](repeating: 0, count: KeyBlobs.coordinateByteCount))
        template.publicArea.unique.ecc.x = zeros
        template.publicArea.unique.ecc.y = zeros
        return template
    }

    /// The policy of the endorsement key: the authorisation of its hierarchy (TPM2_PolicySecret).
    private static let endorsementPolicy: [UInt8] = [
        0x83, 0x71, 0x97, 0x67, 0x44, 0x84, 0xB3, 0xF8, 0x1A, 0x90, 0xCC, 0x8D, 0x46, 0xA5, 0xD7, 0x24, 0xFD, 0x52,
        0xD7,
        0x6E, 0x06, 0x52, 0x0B, 0x64, 0xF2, 0xA1, 0xDA, 0x1B, 0x33, 0x14, 0x69, 0xAA,
    ]

    /// Kinds of endorsement keys that the TCG describes for all chips.
    enum Endorsement {
        /// Template L-2.
        case p256
        /// Template L-1.
        case rsa2048
    }

    /// An endorsement key as the TCG describes it: the same key every time, until the chip gets another seed.
    static func endorsement(_ kind: Endorsement) -> TPM2B_PUBLIC {
        var template = storageParent()
        template.publicArea.objectAttributes =
            TPMA_OBJECT(TPMA_OBJECT_FIXEDTPM) | TPMA_OBJECT(TPMA_OBJECT_FIXEDPARENT) | generated
            | TPMA_OBJECT(TPMA_OBJECT_ADMINWITHPOLICY) | TPMA_OBJECT(TPMA_OBJECT_RESTRICTED)
            | TPMA_OBJECT(TPMA_OBJECT_DECRYPT)
        template.publicArea.authPolicy = TPM2B_DIGEST(endorsementPolicy)
        guard kind == .rsa2048 else { return template }
        let symmetric = template.publicArea.parameters.eccDetail.symmetric
        template.publicArea.type = TPM2_ALG_ID(TPM2_ALG_RSA)
        template.publicArea.parameters = TPMU_PUBLIC_PARMS()
        template.publicArea.parameters.rsaDetail.symmetric = symmetric
        template.publicArea.parameters.rsaDetail.scheme.scheme = TPM2_ALG_ID(TPM2_ALG_NULL)
        template.publicArea.parameters.rsaDetail.keyBits = 2048
        template.publicArea.unique.rsa = TPM2B_PUBLIC_KEY_RSA([UInt8](repeating: 0, count: 256))
        return template
    }

    /// A key for ECDSA with SHA-256; with a policy it can be used by meeting the policy only.
    static func signing(policy: [UInt8]?) -> TPM2B_PUBLIC {
        var template = curve(attributes: attributes(policy) | TPMA_OBJECT(TPMA_OBJECT_SIGN_ENCRYPT), policy: policy)
        template.publicArea.parameters.eccDetail.scheme.scheme = TPM2_ALG_ID(TPM2_ALG_ECDSA)
        template.publicArea.parameters.eccDetail.scheme.details.ecdsa.hashAlg = TPM2_ALG_ID(TPM2_ALG_SHA256)
        return template
    }

    /// A key that signs only what the chip states.
    static func attestation() -> TPM2B_PUBLIC {
        var template = signing(policy: nil)
        template.publicArea.objectAttributes |= TPMA_OBJECT(TPMA_OBJECT_RESTRICTED)
        return template
    }

    /// A key for ECDH; with a policy it can be used by meeting the policy only.
    static func agreement(policy: [UInt8]?) -> TPM2B_PUBLIC {
        curve(attributes: attributes(policy) | TPMA_OBJECT(TPMA_OBJECT_DECRYPT), policy: policy)
    }

    /// The public half of a key that a program holds, as the chip checks signatures with it.
    static func verification(x: [UInt8], y: [UInt8]) -> TPM2B_PUBLIC {
        var template = curve(attributes: byValue | TPMA_OBJECT(TPMA_OBJECT_SIGN_ENCRYPT), policy: nil)
        template.publicArea.unique.ecc.x = TPM2B_ECC_PARAMETER(x)
        template.publicArea.unique.ecc.y = TPM2B_ECC_PARAMETER(y)
        return template
    }

    /// A secret that the chip gives back; with a policy, only to a session that meets it.
    static func sealed(policy: [UInt8]?) -> TPM2B_PUBLIC {
        var template = hashed(attributes: fixed | access(policy), scheme: TPM2_ALG_ID(TPM2_ALG_NULL))
        template.publicArea.authPolicy = TPM2B_DIGEST(policy ?? [])
        return template
    }

    /// A key for HMAC with SHA-256, used by value; the mark, a digest or empty, stands where other keys have a policy.
    static func messageAuthentication(markedWith mark: [UInt8]) -> TPM2B_PUBLIC {
        var template = hashed(
            attributes: fixed | generated | byValue | TPMA_OBJECT(TPMA_OBJECT_SIGN_ENCRYPT),
            scheme: TPM2_ALG_ID(TPM2_ALG_HMAC))
        template.publicArea.parameters.keyedHashDetail.scheme.details.hmac.hashAlg = TPM2_ALG_ID(TPM2_ALG_SHA256)
        template.publicArea.authPolicy = TPM2B_DIGEST(mark)
        return template
    }

    /// Attributes of a key; with a policy no value uses it.
    ///
    /// Its empty value allows only to certify it, which is useless to attackers: with `adminWithPolicy` that would need a
    /// separate policy, and another PIN.
    private static func attributes(_ policy: [UInt8]?) -> TPMA_OBJECT {
        fixed | generated | (policy == nil ? byValue : 0)
    }

    private static func access(_ policy: [UInt8]?) -> TPMA_OBJECT {
        policy == nil ? byValue : TPMA_OBJECT(TPMA_OBJECT_ADMINWITHPOLICY)
    }

    private static func curve(attributes: TPMA_OBJECT, policy: [UInt8]?) -> TPM2B_PUBLIC {
        var template = TPM2B_PUBLIC()
        template.publicArea.type = TPM2_ALG_ID(TPM2_ALG_ECC)
        template.publicArea.nameAlg = TPM2_ALG_ID(TPM2_ALG_SHA256)
        template.publicArea.objectAttributes = attributes
        template.publicArea.authPolicy = TPM2B_DIGEST(policy ?? [])
        template.publicArea.parameters.eccDetail.symmetric.algorithm = TPM2_ALG_ID(TPM2_ALG_NULL)
        template.publicArea.parameters.eccDetail.scheme.scheme = TPM2_ALG_ID(TPM2_ALG_NULL)
        template.publicArea.parameters.eccDetail.curveID = TPM2_ECC_CURVE(TPM2_ECC_NIST_P256)
        template.publicArea.parameters.eccDetail.kdf.scheme = TPM2_ALG_ID(TPM2_ALG_NULL)
        return template
    }

    private static func hashed(attributes: TPMA_OBJECT, scheme: TPM2_ALG_ID) -> TPM2B_PUBLIC {
        var template = TPM2B_PUBLIC()
        template.publicArea.type = TPM2_ALG_ID(TPM2_ALG_KEYEDHASH)
        template.publicArea.nameAlg = TPM2_ALG_ID(TPM2_ALG_SHA256)
        template.publicArea.objectAttributes = attributes
        template.publicArea.parameters.keyedHashDetail.scheme.scheme = scheme
        return template
    }
}

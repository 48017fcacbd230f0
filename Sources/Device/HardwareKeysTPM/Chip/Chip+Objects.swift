import CTSS2
import Glibc
import HardwareKeys
import Octets

extension Chip {
    /// Sensitive data of a new object that is supplied from outside the chip.
    enum Sensitive {
        /// Nothing: it is open.
        case none
        /// The value that authorises its uses.
        case authorization(AuthorizationValue)
        /// The secret that it seals.
        case secret(VaultSecret)
    }

    /// Makes an object under a parent; it is not loaded afterwards.
    func create(
        _ template: TPM2B_PUBLIC, holding sensitive: Sensitive, under parent: ESYS_TR, in session: ESYS_TR
    ) throws(KeyVaultError) -> KeyBlobs {
        var template = template
        var publicArea: UnsafeMutablePointer<TPM2B_PUBLIC>?
        var privateArea: UnsafeMutablePointer<TPM2B_PRIVATE>?
        defer {
            discard(publicArea)
            discard(privateArea)
        }
        try withSensitive(sensitive) { sensitive throws(KeyVaultError) in
            var none = TPM2B_DATA()
            var registers = TPML_PCR_SELECTION()
            try send(.general) {
                Esys_Create(
                    context, parent, session, ESYS_TR_NONE, ESYS_TR_NONE, sensitive, &template, &none, &registers,
                    &privateArea, &publicArea, nil, nil, nil)
            }
        }
        guard let publicArea, let privateArea else { throw .hardwareFailed(code: 0) }
        return try KeyBlobs(publicArea, privateArea)
    }

    /// Loads an object, which the caller flushes.
    ///
    /// Throws `KeyVaultError.damaged` when the blobs are not what the chip made.
    func load(_ blobs: KeyBlobs, under parent: ESYS_TR, in session: ESYS_TR) throws(KeyVaultError) -> ESYS_TR {
        var publicArea = try blobs.decodedPublicArea()
        var privateArea = try blobs.decodedPrivateArea()
        var object: ESYS_TR = ESYS_TR_NONE
        try send(.loading) {
            Esys_Load(context, parent, session, ESYS_TR_NONE, ESYS_TR_NONE, &privateArea, &publicArea, &object)
        }
        return object
    }

    /// Signs a SHA-256 digest; the result is r and s, 32 bytes each.
    func sign(_ digest: [UInt8], with key: ESYS_TR, in session: ESYS_TR) throws(KeyVaultError) -> [UInt8] {
        var digest = TPM2B_DIGEST(digest)
        var scheme = TPMT_SIG_SCHEME()
        scheme.scheme = TPM2_ALG_ID(TPM2_ALG_NULL)
        var ticket = TPMT_TK_HASHCHECK()
        ticket.tag = TPM2_ST(TPM2_ST_HASHCHECK)
        ticket.hierarchy = TPMI_RH_HIERARCHY(TPM2_RH_NULL)
        var signature: UnsafeMutablePointer<TPMT_SIGNATURE>?
        try send(.secretUse) {
            Esys_Sign(context, key, session, ESYS_TR_NONE, ESYS_TR_NONE, &digest, &scheme, &ticket, &signature)
        }
        return try take(signature) { answer throws(KeyVaultError) in
            let parts = answer.pointee.signature.ecdsa
            guard let r = KeyBlobs.coordinate(parts.signatureR), let s = KeyBlobs.coordinate(parts.signatureS) else {
                throw .hardwareFailed(code: 0)
            }
            return r + s
        }
    }

    /// The x coordinate of the point that a key and another party's point agree on.
    func agree(with point: [UInt8], using key: ESYS_TR, in session: ESYS_TR) throws(KeyVaultError) -> VaultSecret {
        let coordinates = point.dropFirst()
        var input = TPM2B_ECC_POINT()
        input.point.x = TPM2B_ECC_PARAMETER(coordinates.prefix(KeyBlobs.coordinateByteCount))
        input.point.y = TPM2B_ECC_PARAMETER(coordinates.dropFirst(KeyBlobs.coordinateByteCount))
        var output: UnsafeMutablePointer<TPM2B_ECC_POINT>?
        try send(.secretUse) {
            Esys_ECDH_ZGen(context, key, session, ESYS_TR_NONE, ESYS_TR_NONE, &input, &output)
        }
        return try take(output) { answer throws(KeyVaultError) in
            var x = KeyBlobs.coordinate(answer.pointee.point.x) ?? []
            defer { SecretOctets.wipe(&x) }
            guard let secret = VaultSecret(copying: x) else { throw .hardwareFailed(code: 0) }
            return secret
        }
    }

    func unseal(_ object: ESYS_TR, in session: ESYS_TR) throws(KeyVaultError) -> VaultSecret {
        var content: UnsafeMutablePointer<TPM2B_SENSITIVE_DATA>?
        try send(.secretUse) { Esys_Unseal(context, object, session, ESYS_TR_NONE, ESYS_TR_NONE, &content) }
        return try take(content) { answer throws(KeyVaultError) in
            var bytes = answer.pointee.octets
            defer { SecretOctets.wipe(&bytes) }
            guard let secret = VaultSecret(copying: bytes) else { throw .damaged }
            return secret
        }
    }

    /// HMAC-SHA256 of a short message with a key that the chip holds.
    func authenticate(_ message: [UInt8], with key: ESYS_TR, in session: ESYS_TR) throws(KeyVaultError) -> VaultSecret {
        var message = TPM2B_MAX_BUFFER(message)
        var code: UnsafeMutablePointer<TPM2B_DIGEST>?
        try send(.general) {
            Esys_HMAC(
                context, key, session, ESYS_TR_NONE, ESYS_TR_NONE, &message, TPM2_ALG_ID(TPM2_ALG_SHA256), &code)
        }
        return try take(code) { answer throws(KeyVaultError) in
            var bytes = answer.pointee.octets
            defer { SecretOctets.wipe(&bytes) }
            guard let secret = VaultSecret(copying: bytes) else { throw .hardwareFailed(code: 0) }
            return secret
        }
    }

    /// The private part of a key under a new authorisation value; the old part stays good for the old value.
    func changeAuthorization(
        of key: ESYS_TR, under parent: ESYS_TR, to value: AuthorizationValue, in session: ESYS_TR
    ) throws(KeyVaultError) -> [UInt8] {
        var privateArea: UnsafeMutablePointer<TPM2B_PRIVATE>?
        try value.withBuffer { value throws(KeyVaultError) in
            try send(.secretUse) {
                Esys_ObjectChangeAuth(
                    context, key, parent, session, ESYS_TR_NONE, ESYS_TR_NONE, value, &privateArea)
            }
        }
        return try take(privateArea) { answer throws(KeyVaultError) in try KeyBlobs.encoded(answer) }
    }

    private func withSensitive(
        _ sensitive: Sensitive, _ body: (UnsafePointer<TPM2B_SENSITIVE_CREATE>) throws(KeyVaultError) -> Void
    ) throws(KeyVaultError) {
        let buffer = UnsafeMutablePointer<TPM2B_SENSITIVE_CREATE>.allocate(capacity: 1)
        buffer.initialize(to: TPM2B_SENSITIVE_CREATE())
        defer {
            explicit_bzero(buffer, MemoryLayout<TPM2B_SENSITIVE_CREATE>.size)
            buffer.deallocate()
        }
        switch sensitive {
        case .none: break
        case .authorization(let value): value.withBuffer { buffer.pointee.sensitive.userAuth = $0.pointee }
        case .secret(let secret): secret.withUnsafeBytes { buffer.pointee.sensitive.data.fill($0) }
        }
        try body(buffer)
    }
}

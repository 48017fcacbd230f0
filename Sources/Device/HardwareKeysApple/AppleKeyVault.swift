#if canImport(LocalAuthentication) && canImport(CryptoKit)
    import CryptoKit
    public import HardwareKeys
    import LocalAuthentication
    import Octets

    /// A vault in the Secure Enclave; what the Enclave wraps lies in the keychain and never leaves this device.
    ///
    /// Gates are kept by the Enclave itself: a key behind one works only in the context in which the user passed it,
    /// see ``AppleUserPresence``. Secrets are counted by this program, in keychain items. The vault asks the user
    /// nothing by itself. One vault works one call after another; several vaults of the same name, also in other
    /// processes, share their keys and counts.
    ///
    /// ```swift
    /// let vault = try AppleKeyVault(named: "org.example.bank")
    /// let key = try await vault.createKey(KeyRequirements(authorization: .userPresence(.biometryCurrentSet)))
    /// let proof = try await presence.confirm(.biometryCurrentSet)
    /// let signature = try await vault.sign(message, with: key, authorizedBy: .userPresence(proof))
    /// ```
    public actor AppleKeyVault: KeyVault {
        /// Always `KeyProvider.secureEnclave`.
        public nonisolated let provider = KeyProvider.secureEnclave

        /// Says that the Enclave keeps keys and gates, and that this program counts attempts.
        public nonisolated let protectionStatement = ProtectionStatement(
            provider: .secureEnclave, attemptCounting: .software, userGate: .hardware, rollbackDetection: .absent,
            text: """
                Keys are made in the Secure Enclave of this device and never leave it. The Enclave itself asks for the \
                passcode, finger or face where a key demands one. Wrong PINs are counted by this program in the keychain: \
                an attacker who controls this program, or restores an older backup of this device onto it, gets used \
                attempts back, but cannot try PINs on another device. An older copy of a file is not noticed.
                """)

        private let name: String
        private let accessGroup: String?

        /// Opens the vault of a name; the same name finds the same keys again.
        ///
        /// The bundle identifier is a good name. `accessGroup` is the keychain access group where several applications
        /// share the vault, and nil otherwise. Throws `KeyVaultError.hardwareUnavailable` on a device without a
        /// Secure Enclave.
        public init(named name: String, accessGroup: String? = nil) throws(KeyVaultError) {
            guard SecureEnclave.isAvailable else { throw .hardwareUnavailable }
            self.name = name
            self.accessGroup = accessGroup
        }

        private func items(_ kind: String) -> KeychainItems {
            KeychainItems(service: "\(name).signet.\(kind)", accessGroup: accessGroup)
        }

        private func slots(of reference: KeyReference) -> AttemptSlots {
            AttemptSlots(items("attempts." + Hex.encode(reference.bytes)))
        }

        private func record(of reference: KeyReference) throws(KeyVaultError) -> EnclaveKeyRecord {
            guard let octets = try items("keys").read(Hex.encode(reference.bytes)) else { throw .unknownKey }
            return try EnclaveKeyRecord(octets: octets)
        }

        // MARK: - Keys

        /// Makes a key pair in the Enclave; a gate must be one that the user can pass on this device as it is.
        ///
        /// Keys behind a gate or under a secret end when the passcode of the device is removed.
        public func createKey(
            _ requirements: KeyRequirements, named reference: KeyReference, authorizedBy secret: VaultSecret?
        ) async throws(KeyVaultError) {
            guard requirements.algorithm == .p256, requirements.authorization.limit != 0 else {
                throw .unsupportedRequirements
            }
            guard requirements.authorization.takesSecret == (secret != nil) else { throw .wrongUse }
            let account = Hex.encode(reference.bytes)
            guard try items("keys").read(account) == nil else { throw .duplicateKey }
            let record = try EnclaveKeyRecord(making: requirements, named: reference, under: secret)
            // What a removal left behind that ended halfway.
            try slots(of: reference).free()
            try items("keys").add(account, value: record.octets)
        }

        /// The public key as SubjectPublicKeyInfo (DER, 91 bytes); needs neither the user nor a secret.
        public func publicKey(of reference: KeyReference) async throws(KeyVaultError) -> [UInt8] {
            let record = try record(of: reference)
            guard let key = try? P256.Signing.PublicKey(x963Representation: record.point) else { throw .damaged }
            return Array(key.derRepresentation)
        }

        /// Signs in the Enclave; the result is r and s, 64 bytes.
        public func sign(
            _ message: [UInt8], with reference: KeyReference, authorizedBy authorization: KeyAuthorization
        ) async throws(KeyVaultError) -> [UInt8] {
            let (key, context) = try key(reference, for: .signing, shown: authorization)
            return try key.sign(message, in: context)
        }

        /// Agrees on a secret in the Enclave: the x coordinate of the shared point.
        public func agree(
            with publicKey: [UInt8], using reference: KeyReference, authorizedBy authorization: KeyAuthorization
        ) async throws(KeyVaultError) -> VaultSecret {
            // Judged first: what another party sent must not cost the user an attempt.
            guard publicKey.count == 65, let point = try? P256.KeyAgreement.PublicKey(x963Representation: publicKey)
            else { throw .invalidPublicKey }
            let (key, context) = try key(reference, for: .agreement, shown: authorization)
            let shared = try key.agree(with: point, in: context)
            guard let secret = shared.withUnsafeBytes({ VaultSecret(copying: $0) }) else { throw .damaged }
            return secret
        }

        /// Removes a key and its count from the keychain; the Enclave holds nothing of it.
        public func deleteKey(_ reference: KeyReference) async throws(KeyVaultError) {
            // In this order: a crash in between leaves counts without a key, never a key without its counts.
            try items("keys").remove(Hex.encode(reference.bytes))
            try slots(of: reference).free()
        }

        // MARK: - Secrets of keys

        /// Attempt count of a key; a try that a crash cut short counts as wrong.
        public func attempts(of reference: KeyReference) async throws(KeyVaultError) -> KeyAttempts? {
            guard let limit = try record(of: reference).requirements.authorization.limit else { return nil }
            return KeyAttempts(failures: try slots(of: reference).taken(), limit: limit)
        }

        /// Tries a secret without using the key.
        public func verify(_ secret: VaultSecret, of reference: KeyReference) async throws(KeyVaultError) {
            _ = try tried(secret, on: reference, as: try record(of: reference))
        }

        /// Seals a key under a new secret in one write; the old one is wrong from then on.
        public func changeSecret(
            of reference: KeyReference, from old: VaultSecret, to new: VaultSecret
        ) async throws(KeyVaultError) {
            var record = try record(of: reference)
            let key = try tried(old, on: reference, as: record)
            record.protection = .secret(try SecretSeal(sealing: key.blob, of: reference, under: new))
            try items("keys").update(Hex.encode(reference.bytes), value: record.octets)
        }

        /// The key, and the context to use it in, when it is for that use and what was shown is what it asks for.
        private func key(
            _ reference: KeyReference, for use: KeyRequirements.Use, shown authorization: KeyAuthorization
        ) throws(KeyVaultError) -> (EnclaveKey, LAContext?) {
            let record = try record(of: reference)
            guard record.requirements.use == use else { throw .wrongUse }
            switch (record.protection, record.requirements.authorization.gate, authorization) {
            case (.secret, _, .secret(let secret)): return (try tried(secret, on: reference, as: record), nil)
            case (.enclave(let key), nil, .none): return (key, nil)
            case (.enclave(let key), let gate?, _): return (key, try Self.context(of: authorization, behind: gate))
            default: throw .wrongUse
            }
        }

        /// The key, if the secret is right; a counted try is written down before it is made.
        private func tried(
            _ secret: VaultSecret, on reference: KeyReference, as record: EnclaveKeyRecord
        ) throws(KeyVaultError) -> EnclaveKey {
            guard case .secret(let seal) = record.protection else { throw .wrongUse }
            // Before the count: a trouble with the Enclave must not cost the user an attempt, and reveals nothing.
            let factor = try seal.factor.open(in: nil)
            let limit = record.requirements.authorization.limit
            if let limit { try slots(of: reference).take(of: limit) }
            guard let blob = seal.open(with: factor, and: secret, of: reference) else { throw .wrongSecret }
            if limit != nil { try slots(of: reference).free() }
            return EnclaveKey(blob: blob, enrollment: [])
        }

        private static func context(
            of authorization: KeyAuthorization, behind gate: UserGate
        ) throws(KeyVaultError) -> LAContext {
            guard case .userPresence(let proof) = authorization, proof.gate == gate,
                let authenticated = proof.context as? AuthenticatedContext
            else { throw .userPresence(.mismatch) }
            return authenticated.context
        }

        // MARK: - Secrets of the device

        /// Seals a secret to a new key of the Enclave, behind a gate if one is given; asks the user nothing.
        public func seal(_ secret: VaultSecret, behind gate: UserGate?) async throws(KeyVaultError) -> SealedSecret {
            try Self.sealed(secret, behind: gate)
        }

        /// Opens what ``seal(_:behind:)`` of a vault of this device made.
        public func unseal(
            _ sealed: SealedSecret, authorizedBy authorization: KeyAuthorization
        ) async throws(KeyVaultError) -> VaultSecret {
            let seal = try EnclaveSeal(sealed)
            guard let gate = seal.gate else { return try seal.open(in: nil) }
            return try seal.open(in: try Self.context(of: authorization, behind: gate))
        }

        /// A secret derived from one that the Enclave has sealed when this vault was asked first.
        public func deviceSecret(for purpose: String) async throws(KeyVaultError) -> VaultSecret {
            let root = try deviceRoot()
            let info = Array(("signet enclave device secret v1 " + purpose).utf8)
            return root.withUnsafeBytes { SecretHash.hkdf(from: $0, info: info) }
        }

        /// The secret that all device secrets are derived from; made once, sealed by the Enclave.
        private func deviceRoot() throws(KeyVaultError) -> VaultSecret {
            let device = items("device")
            if let stored = try device.read("root") { return try Self.opened(stored) }
            let fresh = VaultSecret.random()
            do {
                try device.add("root", value: try Self.sealed(fresh, behind: nil).bytes)
                return fresh
            } catch .duplicateKey {
                // Another process was faster.
                guard let stored = try device.read("root") else { throw .hardwareBusy }
                return try Self.opened(stored)
            }
        }

        private static func opened(_ stored: [UInt8]) throws(KeyVaultError) -> VaultSecret {
            guard let sealed = SealedSecret(bytes: stored) else { throw .damaged }
            return try EnclaveSeal(sealed).open(in: nil)
        }

        private static func sealed(
            _ secret: VaultSecret, behind gate: UserGate?
        ) throws(KeyVaultError) -> SealedSecret {
            guard let sealed = try EnclaveSeal(sealing: secret, behind: gate).sealed else {
                throw .unsupportedRequirements
            }
            return sealed
        }
    }
#endif

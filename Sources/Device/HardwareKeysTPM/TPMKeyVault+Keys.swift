import CTSS2
import Crypto
public import HardwareKeys

extension TPMKeyVault {
    private static let indexAttempts = 8

    /// Makes a P-256 key in the chip and a file with its locked form.
    ///
    /// A counted secret takes an index in the memory of the chip. Throws `KeyVaultError.duplicateKey`,
    /// `KeyVaultError.wrongUse`, `KeyVaultError.unsupportedRequirements` for RSA, a limit of 0 or a chip that cannot
    /// count, `KeyVaultError.hardwareFull`, and the cases for files and hardware.
    public func createKey(
        _ requirements: KeyRequirements, named reference: KeyReference, authorizedBy secret: VaultSecret?
    ) async throws(KeyVaultError) {
        guard requirements.algorithm == .p256 else { throw .unsupportedRequirements }
        guard requirements.takesSecret == (secret != nil) else { throw .wrongUse }
        let value = secret.map { AuthorizationValue(from: $0, for: reference) }
        try files.locked { () throws(KeyVaultError) in
            guard try !files.holds(reference) else { throw .duplicateKey }
            try withChip { call throws(KeyVaultError) in
                if case .countedSecret(let limit) = requirements.authorization, let value {
                    guard record.countsAttempts, limit > 0 else { throw .unsupportedRequirements }
                    try makeCounted(requirements.use, named: reference, limit: limit, value: value, on: call)
                } else {
                    let blobs = try call.create(
                        requirements.use.template(policy: nil), holding: value.map { .authorization($0) } ?? .none)
                    try write(requirements, blobs, nil, named: reference)
                }
            }
        }
    }

    private func makeCounted(
        _ use: KeyRequirements.Use, named reference: KeyReference, limit: UInt8, value: AuthorizationValue,
        on call: ChipCall
    ) throws(KeyVaultError) {
        let journal = IndexJournal(files: files, call: call)
        try journal.settle()
        for _ in 0..<Self.indexAttempts {
            let plan = try AttemptIndexPlan(on: call)
            guard try call.mayTake(plan.number) else { continue }
            let entry = JournalEntry(purpose: .making(reference), number: plan.number, policy: plan.policy.digest)
            let isMade = try journal.writing(entry) { () throws(KeyVaultError) in
                guard let index = try plan.carryOut(limit: limit, value: value, on: call) else { return false }
                let blobs = try call.create(use.template(policy: index.keyPolicy.octets), holding: .none)
                let requirements = KeyRequirements(use: use, authorization: .countedSecret(limit: limit))
                try files.note(index, of: reference)
                try write(requirements, blobs, index, named: reference)
                return true
            }
            if isMade { return }
        }
        throw .hardwareBusy
    }

    private func write(
        _ requirements: KeyRequirements, _ blobs: KeyBlobs, _ index: AttemptIndex?, named reference: KeyReference
    ) throws(KeyVaultError) {
        let key = KeyRecord(vault: record.name, requirements: requirements, blobs: blobs, index: index)
        try files.write(key, named: reference)
    }

    /// The public key as SubjectPublicKeyInfo (DER, 91 bytes); the chip is not asked.
    ///
    /// Throws `KeyVaultError.unknownKey`, `KeyVaultError.damaged` and the cases for files.
    public func publicKey(of reference: KeyReference) async throws(KeyVaultError) -> [UInt8] {
        let point = try key(reference).blobs.point()
        guard let key = try? P256.Signing.PublicKey(x963Representation: point) else { throw .damaged }
        return Array(key.derRepresentation)
    }

    /// Signs in the chip; the result is r and s, 64 bytes.
    ///
    /// The message is hashed by this program. Throws `KeyVaultError.unknownKey`, `KeyVaultError.wrongUse`,
    /// `KeyVaultError.wrongSecret`, `KeyVaultError.lockedOut`, `KeyVaultError.userPresence`, `KeyVaultError.damaged`,
    /// `KeyVaultError.unrecoverable`, and the cases for files and hardware.
    public func sign(
        _ message: [UInt8], with reference: KeyReference, authorizedBy authorization: KeyAuthorization
    ) async throws(KeyVaultError) -> [UInt8] {
        let digest = Array(SHA256.hash(data: message))
        let key = try key(reference, for: .signing)
        return try withChip { call throws(KeyVaultError) in
            try call.withKey(key, named: reference, shown: authorization) { handle, session throws(KeyVaultError) in
                try call.chip.sign(digest, with: handle, in: session)
            }
        }
    }

    /// Agrees on a secret in the chip; the other party's point is judged before anything is counted.
    ///
    /// Throws `KeyVaultError.invalidPublicKey` and what ``sign(_:with:authorizedBy:)`` throws.
    public func agree(
        with publicKey: [UInt8], using reference: KeyReference, authorizedBy authorization: KeyAuthorization
    ) async throws(KeyVaultError) -> VaultSecret {
        guard publicKey.count == 65, (try? P256.KeyAgreement.PublicKey(x963Representation: publicKey)) != nil else {
            throw .invalidPublicKey
        }
        let key = try key(reference, for: .agreement)
        return try withChip { call throws(KeyVaultError) in
            try call.withKey(key, named: reference, shown: authorization) { handle, session throws(KeyVaultError) in
                try call.chip.agree(with: publicKey, using: handle, in: session)
            }
        }
    }

    /// Removes a key, its file, and the index that counted for it.
    ///
    /// A file that cannot be read is removed too; its index is still known. Throws the cases for files, and for keys
    /// with a counted secret the cases for hardware.
    public func deleteKey(_ reference: KeyReference) async throws(KeyVaultError) {
        try files.locked { () throws(KeyVaultError) in
            guard let entry = try files.removal(of: reference) else {
                try files.removeKey(reference)
                return
            }
            // Under any parent: the keys of a cleared chip can be removed as well.
            try access.withChip(under: nil) { call throws(KeyVaultError) in
                let journal = IndexJournal(files: files, call: call)
                try journal.settle()
                try files.write(entry)
                try journal.settle()
            }
        }
    }

    /// The record of a key that belongs to this vault.
    func key(
        _ reference: KeyReference, for use: KeyRequirements.Use? = nil
    ) throws(KeyVaultError) -> KeyRecord {
        guard let key = try files.key(reference) else { throw .unknownKey }
        guard key.vault == record.name else { throw .unrecoverable }
        if let use, key.requirements.use != use { throw .wrongUse }
        return key
    }
}

extension KeyRequirements {
    var takesSecret: Bool {
        switch authorization {
        case .secret, .countedSecret: true
        case .open, .userPresence: false
        }
    }
}

extension KeyRequirements.Use {
    /// Public area of the object that the chip is to make.
    func template(policy: [UInt8]?) -> TPM2B_PUBLIC {
        switch self {
        case .agreement: KeyTemplate.agreement(policy: policy)
        case .signing: KeyTemplate.signing(policy: policy)
        }
    }
}

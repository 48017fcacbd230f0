import CTSS2
import HardwareKeys

/// The index that counts the wrong secrets of one key, as the key's file remembers it.
struct AttemptIndex: Hashable, Sendable {
    let number: UInt32
    let policy: AttemptPolicy
    /// Its name after its one write.
    ///
    /// A redefined index has it again only after being written, which is impossible.
    let name: [UInt8]
    /// The key that a new secret needs, sealed: the chip gives it out for the right secret.
    let changer: KeyBlobs

    /// The policy of what the index guards.
    static func guardPolicy(ofIndexNamed name: [UInt8]) -> PolicyDigest {
        var digest = PolicyDigest()
        digest.require(secretOf: name)
        return digest
    }

    var keyPolicy: PolicyDigest { Self.guardPolicy(ofIndexNamed: name) }
}

/// An index that is to be made: everything that has to be known, and written down, before the chip is told.
struct AttemptIndexPlan {
    let number: UInt32
    let policy: AttemptPolicy
    /// Lives as long as the plan.
    private let writer = PolicySigner()
    /// Goes into the chip, and out again for the right secret.
    private let changer = PolicySigner()

    /// Makes the keys; the number follows from them.
    init(on call: ChipCall) throws(KeyVaultError) {
        policy = AttemptPolicy(writer: try call.chip.name(of: writer), changer: try call.chip.name(of: changer))
        number = call.tag.number(for: policy.digest)
    }

    /// Makes the index; nil when another program took the number meanwhile.
    func carryOut(
        limit: UInt8, value: AuthorizationValue, on call: ChipCall
    ) throws(KeyVaultError) -> AttemptIndex? {
        let isMade = try call.chip.define(
            .attempts, at: number, policy: policy.digest.octets, authorizedBy: value, as: call.ownership)
        guard isMade else { return nil }
        try setLimit(limit, value: value, on: call)
        let name = try writtenName(on: call)
        let guarding = AttemptIndex.guardPolicy(ofIndexNamed: name).octets
        let sealed = try call.create(
            KeyTemplate.sealed(policy: guarding), holding: .secret(try changer.secret()))
        let index = AttemptIndex(number: number, policy: policy, name: name, changer: sealed)
        // A chip that took something else for the limit would count to it.
        guard try call.attempts(in: index) == KeyAttempts(failures: 0, limit: limit) else {
            throw .hardwareFailed(code: 0)
        }
        return index
    }

    /// The one write: no failures, so many allowed.
    private func setLimit(_ limit: UInt8, value: AuthorizationValue, on call: ChipCall) throws(KeyVaultError) {
        guard let index = try call.chip.index(at: number) else { throw .unrecoverable }
        defer { call.chip.forget(index.handle) }
        try call.withPolicySession { session throws(KeyVaultError) in
            try call.chip.policySigned(by: writer, in: session)
            try call.chip.policyCommand(TPM2_CC(TPM2_CC_NV_Write), in: session)
            try call.chip.policyAny(of: policy.branches, in: session)
            // The value goes into the key that hides what is written.
            try call.chip.withAuthorization(value, of: index.handle) { () throws(KeyVaultError) in
                try call.chip.write([0, 0, 0, 0, 0, 0, 0, limit], to: index.handle, in: session)
            }
        }
    }

    private func writtenName(on call: ChipCall) throws(KeyVaultError) -> [UInt8] {
        guard let index = try call.chip.index(at: number) else { throw .unrecoverable }
        defer { call.chip.forget(index.handle) }
        return index.name
    }
}

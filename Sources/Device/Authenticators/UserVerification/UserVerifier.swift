import Crypto
import UAF

/// Verifies a user by PIN: counts, derives, opens.
///
/// The order is the rule: refuse without counting while locked or waiting; derive, which tells nothing; store the
/// counted attempt; only then try the key (SDK-2).
struct UserVerifier: Sendable {
    private let ports: AuthenticatorPorts

    init(_ ports: AuthenticatorPorts) {
        self.ports = ports
    }

    /// How the authenticator of a credential stands now.
    func status(of id: CredentialID) throws(AuthenticatorError) -> ProtectionStatus {
        try changing(id, for: nil) { stored, now, policy throws(AuthenticatorError) in
            stored.lockout.status(at: now, under: policy)
        }
    }

    /// Opens the key of a credential for a caller; nil is the owner of the device, who changes a PIN.
    func unlock(
        _ id: CredentialID, for access: KeyAccess?, pin: borrowing PIN
    ) async throws(AuthenticatorError) -> UnlockedKey {
        let stored = try changing(id, for: access) { stored, now, policy throws(AuthenticatorError) in
            try stored.lockout.requireAttempt(at: now, under: policy)
            return stored
        }
        let seal = try await PINSeal(ports)
        let sealingKey = try seal.sealingKey(for: stored.pinRecord, pin: pin, of: id)
        let failure = try changing(id, for: access) { counted, now, policy throws(AuthenticatorError) in
            // Another process changed the PIN meanwhile: what was derived belongs to the old one.
            guard counted.pinRecord == stored.pinRecord else { throw .accessDenied }
            return try counted.lockout.beginAttempt(at: now, under: policy)
        }
        guard let key = PINSeal.open(stored.pinRecord, with: sealingKey, bound: stored.accessToken) else {
            throw failure
        }
        let renewed = try seal.renewed(stored.pinRecord, for: key, under: pin, of: id, bound: stored.accessToken)
        try changing(id, for: access) { stored, _, _ throws(AuthenticatorError) in
            stored.lockout.succeed()
            if let renewed { stored.pinRecord = renewed }
        }
        return UnlockedKey(credential: id, key: key, token: stored.accessToken)
    }

    /// Changes one active credential of a caller in the store; what `change` did is durable also when it throws.
    private func changing<Result>(
        _ id: CredentialID, for access: KeyAccess?,
        _ change: (inout StoredCredential, ClockReading, LockoutPolicy) throws(AuthenticatorError) -> Result
    ) throws(AuthenticatorError) -> Result {
        try ports.updatingStore { contents throws(AuthenticatorError) in
            let now = ports.clock.read()
            guard var stored = contents.stored(id), access.allows(stored.accessToken, of: contents) else {
                throw .accessDenied
            }
            switch stored.credential.state {
            case .active: break
            case .pending: throw .accessDenied
            case .unusable: throw .keyDisappearedPermanently
            }
            defer { contents.replace(stored) }
            return try change(&stored, now, ports.lockoutPolicy)
        }
    }
}

extension KeyAccess? {
    fileprivate func allows(_ token: AccessToken, of contents: StoredCredentials) -> Bool {
        guard let self else { return true }
        return self.token(for: contents.installation) == token
    }
}

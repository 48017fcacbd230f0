import HardwareKeys
import UAF

/// Access of a caller to one stored credential.
struct CredentialAccess: Sendable {
    private let ports: AuthenticatorPorts

    init(_ ports: AuthenticatorPorts) { self.ports = ports }

    /// The credential, when it can be used now; nil for `access` is the owner of the device, who changes a secret.
    ///
    /// Throws ``AuthenticatorError/accessDenied`` for a credential that is not there, not active or not for this
    /// caller, and ``AuthenticatorError/keyDisappearedPermanently`` for an unusable one. A device without a lock makes
    /// it unusable here, where its profile says so. That it states the server is kept for later signatures.
    func usable(
        _ id: CredentialID, for access: KeyAccess?, statingServer: Bool = false
    ) async throws(AuthenticatorError) -> CredentialRecord {
        let stored = try await changing(id, for: access) { stored throws(AuthenticatorError) in
            if statingServer { stored.credential.statesServer = true }
            return stored
        }
        guard let model = id.aaid.authenticator else { throw .accessDenied }
        do {
            try await DeviceLockRule(ports.deviceLock).require(for: model.kind, in: model.profile)
        } catch {
            throw try await loss(of: id)
        }
        return stored
    }

    /// Changes one active credential of a caller in the store; what `change` did is durable also when it throws.
    func changing<Result>(
        _ id: CredentialID, for access: KeyAccess?,
        _ change: (inout CredentialRecord) throws(AuthenticatorError) -> Result
    ) async throws(AuthenticatorError) -> Result {
        try await ports.updatingStore { contents throws(AuthenticatorError) in
            guard var stored = contents.stored(id), access.allows(stored.accessToken, of: contents) else {
                throw .accessDenied
            }
            switch stored.credential.state {
            case .active: break
            case .pending: throw .accessDenied
            case .unusable: throw .keyDisappearedPermanently
            }
            defer { contents.replace(stored) }
            return try change(&stored)
        }
    }

    /// Marks a credential that can never sign again, and returns the error that says so.
    ///
    /// It stays visible until it is deleted. Throws the errors of the store.
    func loss(of id: CredentialID) async throws(AuthenticatorError) -> AuthenticatorError {
        try await ports.updatingStore { contents throws(AuthenticatorError) in contents.markUnusable(id) }
        return .keyDisappearedPermanently
    }
}

extension KeyAccess? {
    fileprivate func allows(_ token: KeyAccessToken, of contents: StoredCredentials) -> Bool {
        guard let self else { return true }
        return self.token(for: contents.installation) == token
    }
}

import Octets
import Synchronization
import UAF

/// The local data of a client: the store, and what it held after the last change.
final class LocalState: LocalData, AuthenticatorStore {
    private let store: any AuthenticatorStore
    private let latest: Mutex<DeviceSnapshot>

    init(_ store: any AuthenticatorStore) async throws(CeremonyFailure) {
        self.store = store
        latest = Mutex(try await store.snapshot())
    }

    private var device: DeviceSnapshot { latest.withLock { $0 } }

    /// Notes what the store holds after a change; a store that cannot be read right now leaves the old picture.
    private func refresh() async {
        guard let device = try? await store.snapshot() else { return }
        latest.withLock { $0 = device }
    }

    // MARK: - For the application

    var accounts: [any Account] { device.accounts }

    var authenticators: [any Authenticator] { device.authenticators }

    var deviceInformation: DeviceInformation? { device.deviceInformation }

    /// Blocks on files and chips only, by way of ``BlockingBridge``, so it cannot lock up with the main actor.
    ///
    /// What is deleted can be used no more; the next operation, or the next start, takes the keys out of the vault.
    func deleteAuthenticator(username: Username, aaid: String?) throws(DeleteAuthenticatorError) {
        try BlockingBridge.wait { [self] () async throws(DeleteAuthenticatorError) in
            try await forgetAuthenticators(of: username, aaid)
        }
    }

    private func forgetAuthenticators(of username: Username, _ aaid: String?) async throws(DeleteAuthenticatorError) {
        let kind = aaid.flatMap { AuthenticatorAaid(rawValue: $0) }
        guard (aaid == nil) == (kind == nil) else { throw .InvalidAaid(cause: nil) }
        do throws(CeremonyFailure) {
            let keys = try await store.snapshot().credentials.filter { credential in
                credential.username.text.hasSameOctets(as: username)
                    && (kind == nil || AuthenticatorAaid(rawValue: credential.id.aaid.text) == kind)
            }
            if !keys.isEmpty { try await remove(keys.map(\.id)) }
        } catch {
            throw .Unknown(cause: error)
        }
    }

    @concurrent
    func removeAuthenticator(username: Username, aaid: String?) async throws(DeleteAuthenticatorError) {
        try await forgetAuthenticators(of: username, aaid)
        await destroyForgottenKeys()
    }

    // MARK: - For the operations

    func snapshot() async throws(CeremonyFailure) -> DeviceSnapshot {
        let device = try await store.snapshot()
        latest.withLock { $0 = device }
        return device
    }

    func createKey(_ order: KeyOrder, pin: SecretBytes) async throws(CeremonyFailure) -> CreatedKey {
        try await store.createKey(order, pin: pin)
    }

    func protection(of credential: CredentialID) async throws(CeremonyFailure) -> ProtectionReport {
        try await store.protection(of: credential)
    }

    func sign(_ order: SignatureOrder, pin: SecretBytes) async throws(CeremonyFailure) -> SignatureOutcome {
        try await store.sign(order, pin: pin)
    }

    func confirm(
        _ credential: CredentialID, deviceInformation: DeviceInformation?
    ) async throws(CeremonyFailure) {
        try await store.confirm(credential, deviceInformation: deviceInformation)
        await refresh()
    }

    func promote(_ credentials: [CredentialID]) async throws(CeremonyFailure) {
        try await store.promote(credentials)
        await refresh()
    }

    func markUnusable(_ credential: CredentialID) async throws(CeremonyFailure) {
        try await store.markUnusable(credential)
        await refresh()
    }

    func remove(_ credentials: [CredentialID]) async throws(CeremonyFailure) {
        try await store.remove(credentials)
        await refresh()
    }

    func destroyForgottenKeys() async {
        await store.destroyForgottenKeys()
    }
}

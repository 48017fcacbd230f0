import Authenticators
import HardwareKeys

/// Store of credentials with a stopwatch.
struct TimedStore: CredentialStore {
    let store: any CredentialStore
    let watch: Stopwatch

    func contents() async throws(CredentialStoreError) -> StoredCredentials {
        try await watch.measure { () async throws(CredentialStoreError) in try await store.contents() }
    }

    func update<Value>(
        _ change: (inout StoredCredentials) -> Value
    ) async throws(CredentialStoreError) -> Value {
        try await watch.measure { () async throws(CredentialStoreError) in try await store.update(change) }
    }

    func keyMaking() async throws(CredentialStoreError) -> FileLock {
        try await watch.measure { () async throws(CredentialStoreError) in try await store.keyMaking() }
    }

    func tryKeyMaking() throws(CredentialStoreError) -> FileLock? { try store.tryKeyMaking() }
}

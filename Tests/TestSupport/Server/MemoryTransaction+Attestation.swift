package import DeviceAttestation
package import ServerCore

/// Keys of App Attest, and the applications that hold credentials.
extension MemoryTransaction {
    package func appAttestKey(_ id: AppAttestKeyID) -> AppAttestKey? { state.attestedKeys[id]?.key }

    package func insert(_ key: AppAttestKey, at time: Timestamp) -> Bool {
        guard let id = AppAttestKeyID(stored: key.keyID), state.attestedKeys[id] == nil else { return false }
        state.attestedKeys[id] = (key, time)
        return true
    }

    package func raiseCounter(of id: AppAttestKeyID, to counter: UInt32, at time: Timestamp) -> Bool {
        guard var key = state.attestedKeys[id]?.key, key.counter < counter else { return false }
        key.counter = counter
        state.attestedKeys[id] = (key, time)
        return true
    }

    package func forgetAppAttestKeys(unusedSince time: Timestamp, limit: Int) -> Int {
        let old = state.attestedKeys.filter { $0.value.usedAt < time }
            .sorted { $0.value.usedAt < $1.value.usedAt }.prefix(limit)
        for (id, _) in old { state.attestedKeys[id] = nil }
        return old.count
    }

    // MARK: - Credentials

    package func attestation(of credential: RegistrationID) -> CredentialAttestation? {
        state.attestations[credential]
    }

    package func set(_ attestation: CredentialAttestation, of credential: RegistrationID) {
        state.attestations[credential] = attestation
    }
}

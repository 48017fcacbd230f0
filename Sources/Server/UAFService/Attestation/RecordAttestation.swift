import DeviceAttestation
import ServerCore

/// Record of an attested application, with the credentials that it has answered with.
struct RecordAttestation {
    let transaction: any ServerTransaction
    let event: AuditEvent

    /// Writes the key or moves its counter, and records which application holds the credentials.
    ///
    /// The statement that writes the counter compares it, so that one of two responses with the same assertion is refused.
    func record(
        _ application: AttestedApplication, of credentials: [RegistrationID]
    ) throws(ServerTransactionFailure) -> CommitRefusal? {
        let attestation: CredentialAttestation
        switch application {
        case .newAppleKey(let key):
            guard let id = AppAttestKeyID(stored: key.keyID), try transaction.insert(key, at: event.at) else {
                return .attestedKeyExists
            }
            try transaction.append(attested)
            attestation = .appleKey(id)
        case .appleKey(let id, let counter):
            guard try transaction.raiseCounter(of: id, to: counter, at: event.at) else { return .assertionReplayed }
            attestation = .appleKey(id)
        case .androidKey:
            try transaction.append(attested)
            attestation = .androidKey
        }
        for credential in credentials { try transaction.set(attestation, of: credential) }
        return nil
    }

    private var attested: AuditEvent {
        var attested = event
        attested.kind = .appAttested
        return attested
    }
}

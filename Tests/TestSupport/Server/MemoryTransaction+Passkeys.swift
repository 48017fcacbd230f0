package import BackendAPI
package import OpenID
package import ServerCore
import WebAuthn

/// Passkeys, and their registrations that are under way.
extension MemoryTransaction {
    package func passkeys(of user: UserID) -> [Passkey] {
        state.passkeys.filter { $0.userID == user }.sorted { $0.registeredAt < $1.registeredAt }
    }

    package func passkey(credential id: [UInt8]) -> Passkey? {
        state.passkeys.first { $0.record.descriptor.id == id }
    }

    package func passkey(registeredAs id: RegistrationID) -> Passkey? { state.passkeys.first { $0.id == id } }

    package func passkeyCount(of user: UserID) -> Int { passkeys(of: user).count }

    package func insert(_ passkey: Passkey) -> Bool {
        guard self.passkey(credential: passkey.record.descriptor.id) == nil else { return false }
        state.passkeys.append(passkey)
        return true
    }

    package func use(_ passkey: Passkey, from known: UInt32) -> Bool {
        guard
            let index = state.passkeys.firstIndex(where: {
                $0.id == passkey.id && $0.record.state.signCounter == known
            })
        else { return false }
        state.passkeys[index].record = passkey.record
        state.passkeys[index].usedAt = passkey.usedAt
        return true
    }

    package func rename(_ id: RegistrationID, of user: UserID, to name: DeviceName) -> Bool {
        guard let index = state.passkeys.firstIndex(where: { $0.id == id && $0.userID == user }) else { return false }
        state.passkeys[index].name = name
        return true
    }

    package func removePasskey(
        _ id: RegistrationID, of user: UserID, at now: Timestamp
    ) throws(ServerTransactionFailure) -> Bool {
        guard let removed = state.passkeys.first(where: { $0.id == id && $0.userID == user }) else { return false }
        state.passkeys.removeAll { $0.id == id }
        noteRemoval(of: removed.assurance, by: user, at: now)
        try endLoginsWithoutProof(of: user, at: now)
        return true
    }

    package func set(_ offer: PasskeyOffer) { state.passkeyOffers[offer.userID] = offer }

    package func passkeyOffer(of user: UserID) -> PasskeyOffer? { state.passkeyOffers[user] }

    package func removePasskeyOffer(of user: UserID) -> Bool { state.passkeyOffers.removeValue(forKey: user) != nil }
}

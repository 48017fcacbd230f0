package import OpenID
package import ServerCore

/// Recovery codes, and ways back without a phone.
extension MemoryTransaction {
    package func recoveryCodes(of user: UserID) -> (count: Int, createdAt: Timestamp)? {
        guard let codes = state.recoveryCodes[user], !codes.hashes.isEmpty else { return nil }
        return (codes.hashes.count, codes.createdAt)
    }

    package func setRecoveryCodes(_ codes: [RecoveryCodeHash], of user: UserID, at time: Timestamp) {
        state.recoveryCodes[user] = (Set(codes), time)
    }

    package func useRecoveryCode(_ code: RecoveryCodeHash, of user: UserID) -> Bool {
        state.recoveryCodes[user]?.hashes.remove(code) != nil
    }

    package func recovery(of user: UserID) -> Recovery? { state.recoveries[user] }

    package func recovery(_ cookie: RecoveryCookieHash) -> Recovery? {
        state.recoveries.values.first { $0.cookie == cookie }
    }

    package func set(_ recovery: Recovery) { state.recoveries[recovery.userID] = recovery }

    package func removeRecovery(of user: UserID) -> Bool { state.recoveries.removeValue(forKey: user) != nil }
}

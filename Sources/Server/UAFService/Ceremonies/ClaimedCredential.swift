import RelyingParty
import ServerCore
import UAF

/// Credentials that a response may have been made with, and their owners.
struct ClaimedCredentials: Sendable {
    var credentials: [RegisteredCredential]
    var owners: [UserID: User]
}

/// Reader of the credentials that a response claims.
struct ClaimedCredentialReader: Sendable {
    let verificationKeys: VerificationKeys
    let transactions: any ServerTransactionRunner

    /// Every credential with one of the KeyIDs, of whatever model and user.
    ///
    /// If the user who was asked holds all that are claimed, no other user's credential can change the verdict.
    func credentials(
        claimed ids: [CredentialID], in ceremony: OpenCeremony
    ) async throws(ServerError) -> ClaimedCredentials {
        let holder = ceremony.holder
        let own = holder?.credentials.filter { $0.registeredAt <= ceremony.state.issuedAt } ?? []
        if let holder, ids.allSatisfy({ id in own.contains { $0.id == id } }) {
            return ClaimedCredentials(
                credentials: own.filter { ids.map(\.keyID).contains($0.id.keyID) },
                owners: [holder.user.id: holder.user])
        }
        let keys = Set(ids.map(\.keyID))
        guard !keys.isEmpty else { return ClaimedCredentials(credentials: [], owners: [:]) }
        return try await transactions.read { snapshot throws(ServerTransactionFailure) in
            var claimed = ClaimedCredentials(credentials: [], owners: [:])
            for key in keys { claimed.credentials += try snapshot.credentials(withKey: key) }
            for id in Set(claimed.credentials.map(\.userID)) { claimed.owners[id] = try snapshot.user(id) }
            return claimed
        }
    }

    /// The credentials as values of the relying party, without those whose stored key cannot be read any more.
    func stored(_ claimed: ClaimedCredentials) -> [StoredCredential] {
        claimed.credentials.compactMap { $0.stored(verificationKeys) }
    }
}

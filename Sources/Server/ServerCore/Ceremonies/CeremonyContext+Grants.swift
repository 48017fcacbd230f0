import UAF

extension CeremonyContext {
    /// A stolen password must not enrol the thief's phone beside the owner's, nor while that one is switched off.
    func requireStrongEnough(_ grant: RequestAuthorization.Grant) async throws(ServerError) {
        guard settings.authorization.additionalCredential == .uafLogin, !grant.methods.contains(.fidoUAF) else {
            return
        }
        let existing = try await storage.credentials.credentials(of: grant.user.id)
        guard existing.isEmpty else { throw .refused(.unauthorized) }
    }

    /// The owner asks, and has proved possession of a key: a stolen password must not remove the owner's phones.
    func requireOwner(_ name: UserName?, _ grant: RequestAuthorization.Grant) async throws(ServerError) {
        if let name {
            guard try await storage.users.user(named: name)?.id == grant.user.id
            else { throw .refused(.unauthorized) }
        }
        guard grant.methods.contains(.fidoUAF) || !grant.methods.contains(.password) else {
            throw .refused(.unauthorized)
        }
    }
}

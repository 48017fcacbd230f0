import ServerCore

extension UserService {
    /// The user of this name or external id, or, without a name, all users.
    func chosen(_ name: String?) async throws(ServerError) -> [User] {
        guard let name else { return try await all() }
        return [try await user(named: name)]
    }
}

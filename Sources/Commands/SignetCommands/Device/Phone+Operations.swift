import MobileAuthentication

extension Phone {
    /// Signs a user in.
    func authenticate(_ name: String, as user: PhoneUser) async throws -> SignedInSession {
        let provider = try await user.explaining {
            try await client.operations.authentication
                .username(name)
                .authenticatorSelector(user)
                .pinUserVerifier(user)
                .perform()
        }
        return SignedInSession(provider: provider)
    }
}

extension PhoneUser {
    /// Runs an operation; when the user gave up, the failure says why, not only that.
    func explaining<Value: Sendable>(_ operation: () async throws -> Value) async throws -> Value {
        do {
            return try await operation()
        } catch {
            if let surrender { throw surrender }
            throw error
        }
    }
}

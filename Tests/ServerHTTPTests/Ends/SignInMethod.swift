import BackendAPI
import OpenID
import ServerCore
import ServerPersistence
import TestSupport
import Testing
import UAFService
import WebAuthn

/// What a person, or a thief, signs in with.
enum SignInMethod: Sendable {
    case password
    case passkey(SoftwareAuthenticator, RegistrationID)
    case key(SyntheticAuthenticator, RegistrationID)
}

extension EndsStage {
    /// Gives a user a new method of this strength, a password for nil, by the right of the server alone.
    func add(_ method: Assurance?, to user: User) async throws -> SignInMethod {
        guard let method else { return .password }
        guard method.signsTexts else { return try await addPasskey(to: user, isSynced: method == .syncedPasskey) }
        let known = Set(try await services.storage.credentials.credentials(of: user.id).map(\.registrationID))
        let phone = try SyntheticAuthenticator()
        try await register(phone, for: user)
        let all = try await services.storage.credentials.credentials(of: user.id).map(\.registrationID)
        let added = try #require(all.first { !known.contains($0) })
        let protection = method == .key ? RegisteredCredential.Protection.unproved : .chip
        _ = try await site.server.database.transaction { connection throws(ServerPersistenceError) in
            try connection.execute(
                "UPDATE credentials SET protection = $1 WHERE registration_id = $2",
                [.text(protection.rawValue), .blob(added.octets)])
        }
        return .key(phone, added)
    }

    private func addPasskey(to user: User, isSynced: Bool) async throws -> SignInMethod {
        let authenticator = Self.authenticator(isSynced: isSynced)
        let passkey = try Passkey(
            of: user.id, authenticator, named: try #require(DeviceName("Laptop")), at: site.server.clock.now(),
            random: SystemRandomSource(), isSynced: isSynced)
        let isNew = try await site.transactions.transaction { transaction throws(ServerTransactionFailure) in
            try transaction.insert(passkey)
        }
        try #require(isNew)
        return .passkey(authenticator, passkey.id)
    }

    /// An authenticator with a browser on the pages of the server.
    static func authenticator(isSynced: Bool = false) -> SoftwareAuthenticator {
        var authenticator = SoftwareAuthenticator()
        (authenticator.relyingPartyID, authenticator.client.origin) = ("server.example", "https://server.example")
        if isSynced { authenticator.flags |= 0x18 }
        return authenticator
    }

    /// Takes a method away, now.
    func remove(_ method: SignInMethod, of user: User) async throws {
        let now = site.server.clock.now()
        try await site.transactions.transaction { transaction throws(ServerTransactionFailure) in
            _ = try transaction.lockUser(user.id)
            switch method {
            case .password: return
            case .passkey(_, let id): _ = try transaction.removePasskey(id, of: user.id, at: now)
            case .key(_, let id): _ = try transaction.removeCredential(id, of: user.id, at: now)
            }
        }
    }
}

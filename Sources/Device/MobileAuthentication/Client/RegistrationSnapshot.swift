import Octets

/// The registrations as they stood when they were asked for.
struct RegistrationSnapshot: RegistrationInfo, Equatable {
    let accounts: [RegisteredAccount]
    let unusableUsernames: [Username]

    var registeredAccounts: [any Account] { accounts }

    func isRegistered(_ username: Username) -> Bool {
        accounts.contains { $0.username.hasSameOctets(as: username) }
    }

    func isUsable(_ username: Username) -> Bool {
        isRegistered(username) && !unusableUsernames.contains { $0.hasSameOctets(as: username) }
    }

    private enum CodingKeys: String, CodingKey {
        case accounts = "registeredAccounts"
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(accounts, forKey: .accounts)
    }
}

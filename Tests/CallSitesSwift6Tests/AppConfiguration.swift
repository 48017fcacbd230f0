import MobileAuthentication

/// The settings of an application, from a property list that holds the SDK's configuration as well.
struct AppConfiguration: Decodable {
    let sdk: Configuration
    let loginUrl: URL?
    let authenticatorAllowlist: [AuthenticatorAaid]

    static func cloud(host: String) -> AppConfiguration {
        AppConfiguration(
            sdk: Configuration(authCloudHostname: host), loginUrl: nil,
            authenticatorAllowlist: AuthenticatorAaid.allCases)
    }

    static func read(_ data: Data) throws -> AppConfiguration {
        try PropertyListDecoder().decode(AppConfiguration.self, from: data)
    }
}

// Applications declare these themselves, so the SDK must not.
extension AuthenticatorAaid: Codable {}

extension AuthenticatorAaid {
    static func == (lhs: AuthenticatorAaid, rhs: String) -> Bool { lhs.rawValue == rhs }

    static func == (lhs: String, rhs: AuthenticatorAaid) -> Bool { rhs == lhs }
}

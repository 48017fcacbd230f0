/// What the operation found out.
struct PinChangeState: PinChangeContext {
    let username: Username
    let authenticatorProtectionStatus: PinAuthenticatorProtectionStatus
    let lastRecoverableError: PinChangeRecoverableError?

    private enum CodingKeys: String, CodingKey {
        case username
        case authenticatorProtectionStatus
        case lastRecoverableError
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(username, forKey: .username)
        try container.encode(authenticatorProtectionStatus, forKey: .authenticatorProtectionStatus)
        try container.encodeIfPresent(lastRecoverableError?.errorDescription, forKey: .lastRecoverableError)
    }
}

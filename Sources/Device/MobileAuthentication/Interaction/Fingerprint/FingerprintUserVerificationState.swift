/// What the operation found out.
struct FingerprintUserVerificationState: FingerprintUserVerificationContext {
    let snapshot: AuthenticatorSnapshot
    let lastRecoverableError: FingerprintUserVerificationError?

    var authenticator: any Authenticator { snapshot }

    private enum CodingKeys: String, CodingKey {
        case snapshot = "authenticator"
        case lastRecoverableError
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(snapshot, forKey: .snapshot)
        try container.encodeIfPresent(lastRecoverableError?.errorDescription, forKey: .lastRecoverableError)
    }
}

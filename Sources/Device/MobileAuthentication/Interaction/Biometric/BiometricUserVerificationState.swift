/// What the operation found out.
struct BiometricUserVerificationState: BiometricUserVerificationContext {
    let snapshot: AuthenticatorSnapshot

    var authenticator: any Authenticator { snapshot }

    private enum CodingKeys: String, CodingKey {
        case snapshot = "authenticator"
    }
}

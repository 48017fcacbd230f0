/// What the operation found out.
struct DevicePasscodeUserVerificationState: DevicePasscodeUserVerificationContext {
    let snapshot: AuthenticatorSnapshot

    var authenticator: any Authenticator { snapshot }

    private enum CodingKeys: String, CodingKey {
        case snapshot = "authenticator"
    }
}

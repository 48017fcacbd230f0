/// What the operation found out.
struct PasswordEnrollmentState: PasswordEnrollmentContext {
    let username: Username
    let lastRecoverableError: PasswordEnrollmentError?

    private enum CodingKeys: String, CodingKey {
        case username
        case lastRecoverableError
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(username, forKey: .username)
        try container.encodeIfPresent(lastRecoverableError?.errorDescription, forKey: .lastRecoverableError)
    }
}

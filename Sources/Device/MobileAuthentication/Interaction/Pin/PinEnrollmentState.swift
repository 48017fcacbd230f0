/// What the operation found out.
struct PinEnrollmentState: PinEnrollmentContext {
    let username: Username
    let lastRecoverableError: PinEnrollmentError?

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

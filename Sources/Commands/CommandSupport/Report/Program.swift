/// Names of the two programs.
enum Program: String {
    /// The phone's program.
    case phone = "signet"
    /// The server's program.
    case server = "signet-server"

    /// Version that `--version` of both programs prints, defined nowhere else; nothing has been released yet.
    static let version = "0.1.0-unreleased"

    /// Failure that explains an error to the users of the program.
    func failure(_ error: any Error) -> CommandFailure {
        switch self {
        case .phone: CommandFailure(reporting: error)
        case .server: CommandFailure(serving: error)
        }
    }
}

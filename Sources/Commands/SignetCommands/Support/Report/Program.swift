/// The two programs, as they call themselves.
enum Program: String {
    /// The phone's side.
    case phone = "signet"
    /// The server.
    case server = "signet-server"

    /// What `--version` of both prints, the only place where it stands; nothing has been released yet.
    static let version = "0.1.0-unreleased"

    /// What an error means to the one who uses the program.
    func failure(_ error: any Error) -> CommandFailure {
        switch self {
        case .phone: CommandFailure(reporting: error)
        case .server: CommandFailure(serving: error)
        }
    }
}

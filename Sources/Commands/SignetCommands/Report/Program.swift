/// The two programs, as they call themselves.
enum Program: String {
    /// The phone's side.
    case phone = "signet"
    /// The server.
    case server = "signet-server"

    /// What an error means to the one who uses the program.
    func failure(_ error: any Error) -> CommandFailure {
        switch self {
        case .phone: CommandFailure(reporting: error)
        case .server: CommandFailure(serving: error)
        }
    }
}

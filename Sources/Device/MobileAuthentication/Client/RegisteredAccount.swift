/// An account as the credential store knows it.
struct RegisteredAccount: Account {
    let username: Username
    private let registeredServer: RegisteredServer

    var server: any Server { registeredServer }

    init(username: Username, server: RegisteredServer) {
        self.username = username
        registeredServer = server
    }

    private enum CodingKeys: String, CodingKey {
        case username
        case registeredServer = "server"
    }
}

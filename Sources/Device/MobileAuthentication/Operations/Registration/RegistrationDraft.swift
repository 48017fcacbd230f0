/// What an application has said about a registration.
struct RegistrationDraft: Sendable {
    var order: RegistrationMachine.Order
    var authorization: (any AuthorizationProvider)?
    var headers: [String: String] = [:]
    var participants = Participants()

    init(server: ServerAddress) { order = RegistrationMachine.Order(server: server) }
}

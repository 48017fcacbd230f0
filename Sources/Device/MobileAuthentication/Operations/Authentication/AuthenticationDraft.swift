/// What an application has said about an authentication.
struct AuthenticationDraft: Sendable {
    var order = AuthenticationMachine.Order()
    var session: (any SessionProvider)?
    var headers: [String: String] = [:]
    var participants = Participants()
    var onSuccess: (@MainActor ((any AuthorizationProvider)?) -> Void)?
    var onError: (@MainActor (AuthenticationError) -> Void)?
}

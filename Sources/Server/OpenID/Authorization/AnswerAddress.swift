import ServerCore

/// Address to which an answer goes, and how the browser carries it there.
struct AnswerAddress: Sendable {
    let client: ClientID
    let redirect: RedirectAddress
    let mode: AuthorizationParameters.ResponseMode
    let state: String?
}

extension AuthorizationParameters {
    var answerAddress: AnswerAddress {
        AnswerAddress(client: client, redirect: redirect, mode: responseMode, state: state)
    }
}

import BackendAPI

extension FuzzedParser {
    /// Parsers of bodies and header fields of the HTTP interface.
    static let transport: [FuzzedParser] = [
        body("get-uaf-request", GetUAFRequest.self),
        body("return-uaf-request", ReturnUAFRequest.self),
        body("send-uaf-response", SendUAFResponse.self),
        body("server-response", ServerResponse.self),
        body("fido-login", FIDOLogin.self),
        body("login-answer", PasswordLoginAnswer.self),
        context("registration-context", RegistrationContext.self),
        context("authentication-context", AuthenticationContext.self),
        context("deregistration-context", DeregistrationContext.self),
        stable(
            "response-context", read: { try ResponseContext(text: try text($0)) }, write: { Array($0.text.utf8) }),
        body("error-body", ErrorBody.self),
        body("health-body", HealthBody.self),
        FuzzedParser("login-form") { bytes throws(FuzzFinding) in
            guard let login = try? PasswordLogin(form: bytes) else { return false }
            guard let again = try? PasswordLogin(form: login.form()), again.userID == login.userID else {
                throw FuzzFinding(parser: "login-form", promise: "a form that was read can be written and read")
            }
            return true
        },
    ]

    /// Parser of a body that one type reads and writes.
    static func body<Body: MessageBody>(_ name: String, _ type: Body.Type) -> FuzzedParser {
        roundTrip(name, read: { try Body(body: $0) }, write: { $0.body })
    }

    private static func context<Context: RequestContext>(_ name: String, _ type: Context.Type) -> FuzzedParser {
        stable(name, read: { try Context(text: try text($0)) }, write: { Array($0.text.utf8) })
    }
}

import BackendAPI
import BackendTransport
import DemoCommands
import UAF

/// A browser with the session of a user who has logged in with a password.
struct Browser: Sendable {
    /// The server refused with this HTTP status.
    struct Refusal: Error, Equatable { let status: Int }

    private let user: UserName
    private let address: String
    private let transport: any HTTPTransport
    private let cookie: String?

    /// Logs a user in.
    static func logIn(_ user: String, at server: LocalServer) async throws -> Browser {
        guard let name = UserName(user) else { throw Refusal(status: 0) }
        let answer = try await answer(toLogIn: user, password: Installation.password, at: server)
        guard answer.status == 200, let field = answer.headers.first("Set-Cookie") else {
            throw Refusal(status: answer.status)
        }
        return Browser(
            user: name, address: server.address, transport: try server.transport(),
            cookie: String(field.prefix { $0 != ";" }))
    }

    /// The HTTP status of a login with another password.
    static func status(ofLogIn user: String, password: String, at server: LocalServer) async throws -> Int {
        try await answer(toLogIn: user, password: password, at: server).status
    }

    private static func answer(
        toLogIn user: String, password: String, at server: LocalServer
    ) async throws -> BackendResponse {
        try await server.transport().response(
            to: BackendRequest(
                .post, server.address + Endpoint.passwordLogin.path,
                headers: [
                    .init("Content-Type", "application/x-www-form-urlencoded;charset=utf-8"),
                    .init("Accept", "application/json"),
                ], body: Array("isiwebuserid=\(user)&isiwebpasswd=\(password)".utf8)))
    }

    /// The value of the session cookie.
    var session: String { cookie.map { String($0.drop { $0 != "=" }.dropFirst()) } ?? "" }

    /// The same browser when it has forgotten the session.
    var without: Browser { Browser(user: user, address: address, transport: transport, cookie: nil) }

    /// The UAF status with which the server answers a wish to register a phone; throws ``Refusal``.
    var registrationStatus: UInt32 {
        get async throws {
            var headers: HeaderFields = [
                .init("Content-Type", "application/fido+uaf;charset=utf-8"), .init("Accept", "application/fido+uaf"),
            ]
            if let cookie { headers.append("Cookie", cookie) }
            let request = GetUAFRequest(RegistrationContext(username: user))
            let answer = try await transport.response(
                to: BackendRequest(
                    .post, address + Endpoint.serviceRoot + Endpoint.registrationRequest.path, headers: headers,
                    body: request.body))
            guard answer.status == 200 else { throw Refusal(status: answer.status) }
            return try ReturnUAFRequest(body: answer.body).statusCode.rawValue
        }
    }
}

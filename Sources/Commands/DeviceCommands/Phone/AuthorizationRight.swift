import BackendAPI
import BackendTransport
import CommandSupport
import Foundation
import MobileAuthentication
import Octets
import UAF

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Authorization of a registration or deregistration: a password login, a token, the device key, or none.
struct AuthorizationRight {
    enum Evidence: Sendable {
        case password(SecretBytes)
        case token(Sensitive<String>)
        case device
    }

    let provider: any AuthorizationProvider
    let isEmpty: Bool

    init(_ evidence: Evidence?, user: String, on phone: Phone) async throws(CommandFailure) {
        isEmpty = evidence == nil
        switch evidence {
        case nil: provider = EmptyAuthorizationProvider()
        case .token(let token): provider = JwtAuthorizationProvider(token.reveal())
        case .device: provider = JwsAuthorizationProvider()
        case .password(let password):
            let login = try await LoginSession(
                server: phone.server, user: user, password: password, transport: phone.transport)
            provider = CookieAuthorizationProvider(login.cookies.reveal())
        }
    }
}

/// Login with name and password, which authorizes a registration.
struct LoginSession {
    let cookies: Sensitive<[HTTPCookie]>

    /// Performs the login at `POST /auth/pwd`.
    init(
        server: URL, user: String, password: SecretBytes, transport: any HTTPTransport
    ) async throws(CommandFailure) {
        let address = server.absoluteString.trimmingSuffix("/") + Endpoint.passwordLogin.path
        guard let name = UserName(user) else { throw .local("BadUser", "a user's name has 1 to 128 characters") }
        let request = BackendRequest(
            .post, address,
            headers: [
                .init("Content-Type", "application/x-www-form-urlencoded;charset=utf-8"),
                .init("Accept", "application/json"),
            ],
            body: PasswordLogin(userID: name, password: password.duplicate()).form())
        let response: BackendResponse
        do throws(BackendTransportError) {
            response = try await transport.response(to: request)
        } catch {
            throw .unreachable(error)
        }
        guard response.status != 404 else {
            throw .refused(
                "LoginOff",
                "the server has no login by password: ask for an invitation (signet-server dispatch register) and use "
                    + "scan or open, or have password-login.enabled set at the server")
        }
        guard ![429, 503].contains(response.status) else { throw Self.overload(response) }
        guard response.status == 200, let answer = try? PasswordLoginAnswer(body: response.body),
            answer.status == PasswordLoginAnswer.succeeded
        else {
            throw .refused(
                "LoginRefused",
                "the server did not accept name and password (HTTP \(response.status)): the name is unknown, the password "
                    + "is wrong, or the account is locked")
        }
        cookies = Sensitive(
            response.headers.values(of: "Set-Cookie").flatMap { field in
                HTTPCookie.cookies(withResponseHeaderFields: ["Set-Cookie": field], for: server)
            })
    }

    /// Failure for a rate limit, after too many wrong passwords for the name or from the address, and for an overloaded
    /// server.
    private static func overload(_ response: BackendResponse) -> CommandFailure {
        let wait = response.headers.first("Retry-After").flatMap { Int($0) }.map { "in \($0) s" } ?? "in a few minutes"
        return response.status == 429
            ? CommandFailure(
                kind: .refused, code: "LoginThrottled",
                message: "the server takes no password now, after too many wrong ones for this name or from this "
                    + "address: try again \(wait)", isRetryable: true)
            : .local("LoginUnavailable", "the server cannot check a password now: try again \(wait)", isRetryable: true)
    }
}

extension String {
    fileprivate func trimmingSuffix(_ suffix: String) -> String {
        hasSuffix(suffix) ? String(dropLast(suffix.count)) : self
    }
}

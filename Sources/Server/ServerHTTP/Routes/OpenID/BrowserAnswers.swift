import BackendAPI
import HTTPTypes
import Hummingbird
import NIOCore
import Octets
import OpenID
import ServerCore
import SignInPages

/// Answers to browsers: pages, cookies, and the way back to a client.
struct BrowserAnswers: Sendable {
    static let cookieAttributes = "Path=/; Secure; HttpOnly; SameSite=Lax"

    let pages: (any PageService)?
    let clock: any WallClock

    /// Answer of authorization, sign-in or logout; 303, so that a browser never sends a form on (RFC 9700, 4.12).
    func response(_ answer: AuthorizationAnswer, _ reader: PageReader) throws -> Response {
        var response: Response
        switch answer.destination {
        case .signIn(let id):
            response = Self.redirect(to: Endpoint.signInPage.path(naming: id.text))
        case .redirect(let address):
            response = Self.redirect(to: address.reveal())
        case .form(let form):
            guard let pages else { throw RequestRefusal.notFound }
            response = Self.response(pages.answerPage(form, reader: reader))
        case .page(let page):
            guard let pages else { throw RequestRefusal.notFound }
            response = Self.response(pages.logoutPage(page, reader: reader))
        }
        for cookie in answer.cookies {
            response.headers.append(
                HTTPField(name: .setCookie, value: field(cookie.name, cookie.value, cookie.expiresAt)))
        }
        if let challenge = answer.sessionChallenge {
            let algorithms = DeviceBoundSessions.algorithms.joined(separator: " ")
            PageHeaders.set(
                "Secure-Session-Registration",
                "(\(algorithms));path=\"\(Endpoint.deviceSession.path)\";challenge=\"\(challenge)\"",
                in: &response.headers)
        }
        return response
    }

    /// To another page, by GET.
    static func redirect(to address: String) -> Response {
        Response(status: .seeOther, headers: [.location: address, .cacheControl: "no-store"])
    }

    /// Sets a cookie that ends at a time.
    func set(_ name: String, _ value: Sensitive<String>, until end: Timestamp, in response: inout Response) {
        response.headers.append(HTTPField(name: .setCookie, value: field(name, value, end)))
    }

    private func field(_ name: String, _ value: Sensitive<String>?, _ end: Timestamp?) -> String {
        guard let value else { return "\(name)=; Max-Age=0; " + Self.cookieAttributes }
        let age = end.map { "; Max-Age=\(max(0, ($0 - clock.now()).components.seconds))" } ?? ""
        return "\(name)=\(value.reveal())\(age); " + Self.cookieAttributes
    }

    func response(_ refusal: OpenIDRefusal, _ reader: PageReader) throws -> Response {
        guard let pages else { throw RequestRefusal.malformed }
        let status: HTTPResponse.Status =
            switch refusal.code {
            case .temporarilyUnavailable: .serviceUnavailable
            case .serverError: .internalServerError
            default: .badRequest
            }
        var response = Self.response(pages.refusalPage(Self.page(refusal), reader: reader), status: status)
        response.headers[.retryAfter] = refusal.retryAfter.map(String.init)
        return response
    }

    private static func page(_ refusal: OpenIDRefusal) -> PageRefusal {
        switch (refusal.code, refusal.field) {
        case (.temporarilyUnavailable, "client_id"?): .tooMany
        case (.temporarilyUnavailable, _), (.serverError, _): .unavailable
        case (.unauthorizedClient, _): .unknownClient
        case (_, "redirect_uri"?), (_, "post_logout_redirect_uri"?): .redirectNotRegistered
        case (.invalidRequestURI, _): .expired
        default: .malformedRequest
        }
    }

    static func response(_ page: PageAnswer, status: HTTPResponse.Status? = nil) -> Response {
        var headers = PageHeaders.fields(of: page)
        headers[.contentType] = BackendAPI.MediaType.html.fieldValue
        return Response(
            status: status ?? HTTPResponse.Status(code: page.status), headers: headers,
            body: .init(byteBuffer: ByteBuffer(bytes: page.html)))
    }
}

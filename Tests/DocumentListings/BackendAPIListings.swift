// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

import BackendAPI
import UAF

/// Listings of the exchanges of UAF over HTTP; each returns what it has made or read.
public enum BackendAPIListings {
    public static func endpoint(contentType: String?, accept: String?) throws -> (path: String, answer: String) {
        // Listing begins
        let service = Endpoint.registrationRequest
        let path = Endpoint.serviceRoot + service.path  // To which the client sends a POST.
        _ = try service.requestType(contentType: contentType)
        let answer = try service.responseType(accept: accept).fieldValue
        // Listing ends
        return (path, answer)
    }

    public static func body(_ body: [UInt8]) throws -> [UInt8] {
        // Listing begins
        let request = try GetUAFRequest(body: body)
        let context = try request.context(as: RegistrationContext.self)
        let forwarded = GetUAFRequest(context).body
        // Listing ends
        return forwarded
    }

    public static func request(_ username: UserName, answer: [UInt8]) throws -> (sent: [UInt8], message: String?) {
        // Listing begins
        let request = GetUAFRequest(AuthenticationContext(username: username))
        let sent = request.body  // To `Endpoint.authenticationRequest`.

        let received = try ReturnUAFRequest(body: answer)
        let message = received.statusCode == .ok ? received.uafRequest : nil
        // Listing ends
        return (sent, message)
    }

    public static func response(_ message: String, answer: [UInt8]) throws -> (sent: [UInt8], token: String?) {
        // Listing begins
        let response = SendUAFResponse(uafResponse: message, context: ResponseContext(userAgent: "Bank/2.1"))
        let sent = response.body  // To `Endpoint.authenticationResponse`.

        let received = try ServerResponse(body: answer)
        let token = received.statusCode == .ok ? received.token(.jwt) : nil
        // Listing ends
        return (sent, token)
    }

    public static func login(_ body: [UInt8]) throws -> UserName? {
        // Listing begins
        let login = try FIDOLogin(body: body)
        let username = try login.context().username
        // Listing ends
        return username
    }

    public static func cookies(_ field: String, now: Int64) throws -> String? {
        // Listing begins
        var jar = CookieJar()
        let cookie = try SetCookie(parsing: field, strictness: .userAgent)
        _ = jar.store(cookie, host: "bank.example", path: "/auth/pwd", now: now)
        let header = jar.fieldValue(host: "bank.example", path: "/auth/fidouaf", now: now)
        // Listing ends
        return header
    }

    public static func refusal(_ body: [UInt8]) -> BackendAPIError.Answer? {
        var answer: BackendAPIError.Answer?
        func judge(_ response: SendUAFResponse) {}
        func respond(_ given: BackendAPIError.Answer) { answer = given }
        // Listing begins
        do {
            judge(try SendUAFResponse(body: body))
        } catch {
            respond(error.answer)  // Status 200 with a code of UAF, or an HTTP error.
        }
        // Listing ends
        return answer
    }

    public static func conformance(_ body: [UInt8]) throws -> UserName {
        // Listing begins
        let request = try GetUAFRequest(body: body).translatedFromConformance()
        let username = try request.context(as: RegistrationContext.self).username
        // Listing ends
        return username
    }
}

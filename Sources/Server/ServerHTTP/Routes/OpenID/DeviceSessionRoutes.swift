import BackendAPI
import HTTPTypes
import Hummingbird
import Octets
import OpenID
import ServerCore
import StrictJSON

/// Address at which browsers bind their sessions to keys (Device Bound Session Credentials); they call it by themselves.
struct DeviceSessionRoutes: Sendable {
    let shared: RouteServices
    let sessions: DeviceBoundSessions
    let answers: BrowserAnswers

    func add(to routes: RouteBuilder) {
        routes.add(.deviceSession) { exchange in
            let request = DeviceBoundSessions.Request(
                cookies: BrowserCookies(onPageOf: exchange.request),
                session: exchange.quoted("Sec-Secure-Session-Id"),
                proof: exchange.quoted("Secure-Session-Response").map { Sensitive($0) })
            do throws(OpenIDRefusal) {
                return respond(try await sessions.answer(request, client: shared.client(of: exchange)), to: exchange)
            } catch {
                return OpenIDRoutes.response(error, to: exchange, scheme: "Basic")
            }
        }
    }

    private func respond(_ answer: DeviceBoundSessions.Answer, to exchange: Exchange) -> Response {
        switch answer {
        case .bound(let session, let cookie, let end):
            var response = exchange.answer(
                bytes: JSONWriter.write(.object(Self.instructions(for: session))), headers: [.cacheControl: "no-store"])
            answers.set(BrowserCookies.boundName, cookie, until: end, in: &response)
            return response
        case .challenge(let challenge, let session):
            var headers: HTTPFields = [.cacheControl: "no-store"]
            PageHeaders.set("Secure-Session-Challenge", "\"\(challenge)\";id=\"\(session.text)\"", in: &headers)
            return Response(status: .forbidden, headers: headers)
        // A browser forgets the key of a session for which it gets a status of 400 to 499 but 403.
        case .ended: return Response(status: .unauthorized, headers: [.cacheControl: "no-store"])
        }
    }

    private static func instructions(for session: BrowserSessionID) -> JSONObject {
        [
            "session_identifier": .string(session.text), "refresh_url": .string(Endpoint.deviceSession.path),
            "scope": .object(["include_site": .bool(false)]),
            "credentials": .array([
                .object([
                    "type": .string("cookie"), "name": .string(BrowserCookies.boundName),
                    "attributes": .string(BrowserAnswers.cookieAttributes),
                ])
            ]),
        ]
    }
}

extension Exchange {
    /// Text of a field that is a string in quotation marks (RFC 9651, 3.3.3) and has none inside; nil for any other.
    fileprivate func quoted(_ name: String) -> String? {
        guard let field = HTTPField.Name(name) else { return nil }
        let values = request.headers[values: field]
        guard values.count == 1, let value = values.first, value.utf8.count >= 2, value.hasPrefix("\""),
            value.hasSuffix("\"")
        else { return nil }
        let text = String(value.dropFirst().dropLast())
        return text.utf8.contains { $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\\") } ? nil : text
    }
}

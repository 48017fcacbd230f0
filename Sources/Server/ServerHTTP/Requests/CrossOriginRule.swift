import HTTPTypes
import Hummingbird
import OpenID
import ServerCore

/// Rule for pages of other origins that read answers of this server (Fetch, 3.2): pages of public clients may.
///
/// Cookies are never let along (`Access-Control-Allow-Credentials` is not sent): what a page of another origin may read here is asked
/// for by a code, a token, or not at all.
struct CrossOriginRule: Sendable {
    /// Seconds for which a browser remembers what it may send.
    private static let memory = 600

    let clients: any ClientRegistry

    /// Fields of an answer for the page that asks; a page that may not read it gets none that lets it.
    func fields(for request: Request) async -> HTTPFields {
        var fields: HTTPFields = [.vary: "Origin"]
        guard let origin = await reader(of: request) else { return fields }
        fields[.accessControlAllowOrigin] = origin
        fields[.accessControlExposeHeaders] = "WWW-Authenticate, Retry-After"
        return fields
    }

    /// Answer to the question of a browser, before it sends what a form could not send.
    func answer(to request: Request) async -> Response {
        var fields: HTTPFields = [.vary: "Origin"]
        if let origin = await reader(of: request) {
            fields[.accessControlAllowOrigin] = origin
            fields[.accessControlAllowMethods] = "GET, POST"
            fields[.accessControlAllowHeaders] = "Authorization, Content-Type, DPoP"
            fields[.accessControlMaxAge] = String(Self.memory)
        }
        return Response(status: .noContent, headers: fields)
    }

    /// Origin of the page that asks, when it may read answers; without the database none may.
    private func reader(of request: Request) async -> String? {
        let origins = request.headers[values: .origin]
        guard let origin = origins.first, origins.count == 1,
            let allowed = try? await clients.pageOrigins(), allowed.contains(origin)
        else { return nil }
        return origin
    }
}

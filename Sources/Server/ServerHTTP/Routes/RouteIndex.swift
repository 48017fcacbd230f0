import HTTPTypes
import Hummingbird
import Synchronization

/// Knows which methods each path takes, to tell a wrong method from a wrong path.
final class RouteIndex: Sendable {
    private let methods = Mutex<[String: [HTTPRequest.Method]]>([:])

    /// Notes a route; `path` has no slash at its end, and its last component may stand for any.
    func insert(_ method: HTTPRequest.Method, _ path: String) {
        methods.withLock { $0[path.hasSuffix("}") ? Self.named(path[...]) : path, default: []].append(method) }
    }

    /// The path with a mark instead of its last component.
    private static func named(_ path: Substring) -> String {
        path.prefix(through: path.lastIndex(of: "/") ?? path.startIndex) + "{}"
    }

    /// Why no route took the request.
    func refusal(of request: Request) -> RequestRefusal {
        var path = Substring(request.uri.path)
        if path.hasSuffix("/") { path = path.dropLast() }
        let allowed = methods.withLock { $0[String(path)] ?? $0[Self.named(path)] ?? [] }
        return allowed.isEmpty ? .notFound : .methodNotAllowed(allow: allowed)
    }
}

import HTTPTypes
import Hummingbird
import Synchronization

/// Methods of each path, to tell a wrong method (405) from a wrong path (404; RFC 9110, 15.5.6).
///
/// The path that it looks up is a stranger's text: empty, without a slash, or anything else.
final class RouteIndex: Sendable {
    private let methods = Mutex<[String: [HTTPRequest.Method]]>([:])

    /// Notes a route; `path` has no slash at its end, and its last component may be a parameter in braces.
    func insert(_ method: HTTPRequest.Method, _ path: String) {
        methods.withLock { $0[path.hasSuffix("}") ? Self.pattern(path[...]) : path, default: []].append(method) }
    }

    /// Methods of the routes at the path of a request; empty when there are none.
    func methods(at path: String) -> [HTTPRequest.Method] {
        let path = path.hasSuffix("/") ? path.dropLast() : path[...]
        return methods.withLock { $0[String(path)] ?? $0[Self.pattern(path)] ?? [] }
    }

    /// Refusal of a request that no route has taken.
    func refusal(of request: Request) -> RequestRefusal {
        let allowed = methods(at: request.uri.path)
        return allowed.isEmpty ? .notFound : .methodNotAllowed(allow: allowed)
    }

    /// The path with `{}` in place of what follows its last slash.
    private static func pattern(_ path: Substring) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "{}" }
        return path[...slash] + "{}"
    }
}

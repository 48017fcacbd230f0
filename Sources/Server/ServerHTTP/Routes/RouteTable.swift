import HTTPTypes
import Hummingbird
import LoadControl

/// Services of a listener by path and method.
///
/// A path is found with and without a slash at its end, octet by octet. Its last component may stand for anything. The path
/// that is looked up is a stranger's text: empty, without a slash, or anything else.
struct RouteTable: Sendable {
    /// Answers a request, the last component of whose path stands in the context where it stands for anything.
    typealias Handler = @Sendable (Request, BackendRequestContext) async throws -> Response

    private struct Route: Sendable {
        let method: HTTPRequest.Method
        let step: Admission.Step?
        let handler: Handler
    }

    private var routes: [Substring: [Route]] = [:]

    /// Adds a service, with its place among those that are refused under load, nil where it never is.
    ///
    /// `path` has no slash at its end, and its last component may be a parameter in braces.
    mutating func insert(
        _ method: HTTPRequest.Method, _ path: String, step: Admission.Step? = nil, _ handler: @escaping Handler
    ) {
        let key = path.hasSuffix("}") ? Self.split(path[...]).start + "{}" : path[...]
        routes[key, default: []].append(Route(method: method, step: step, handler: handler))
    }

    /// The service for a request, and the component of its path that stands for anything.
    ///
    /// Throws the refusal of a request for which there is none: a wrong method is told from a wrong path (RFC 9110,
    /// 15.5.6).
    func route(
        _ method: HTTPRequest.Method, at path: String
    ) throws(RequestRefusal) -> (handler: Handler, component: Substring?) {
        let (known, component) = find(path)
        if let route = known.first(where: { $0.method == method }) { return (route.handler, component) }
        throw known.isEmpty ? .notFound : .methodNotAllowed(allow: known.map(\.method))
    }

    /// Place of the service for a request among those that are refused under load; nil where it never is, or there is none.
    func step(_ method: HTTPRequest.Method, at path: String) -> Admission.Step? {
        find(path).routes.first { $0.method == method }?.step
    }

    private func find(_ path: String) -> (routes: [Route], component: Substring?) {
        let path = path.utf8.last == UInt8(ascii: "/") ? path.dropLast() : path[...]
        if let known = routes[path] { return (known, nil) }
        let (start, component) = Self.split(path)
        guard !component.isEmpty, let known = routes[start + "{}"] else { return ([], nil) }
        return (known, component)
    }

    /// The path up to its last slash, and what follows.
    private static func split(_ path: Substring) -> (start: Substring, component: Substring) {
        let end = path.utf8.lastIndex(of: UInt8(ascii: "/")).map { path.utf8.index(after: $0) } ?? path.startIndex
        return (path[..<end], path[end...])
    }
}

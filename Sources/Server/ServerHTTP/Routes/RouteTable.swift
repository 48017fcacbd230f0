import BackendAPI
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

    /// A service at one path.
    struct Route: Sendable {
        fileprivate let method: HTTPRequest.Method
        /// Name of the service in metrics and log, never what a client wrote.
        let name: String
        /// Place among the requests that are refused under load; nil where it never is.
        let step: Admission.Step?
        /// Whether its requests bear a secret, and count for their address only when that is not good.
        let bearsSecret: Bool
        fileprivate let endpoint: Endpoint?
        fileprivate let handler: Handler
    }

    private var routes: [Substring: [Route]] = [:]

    /// Adds a service with its name and its place among those that are refused under load, nil where it never is.
    ///
    /// `endpoint` says whether its requests bear a secret, and what it answers with; without one neither holds. `path` has no slash at its end, unless it is nothing else, and its last component may be a parameter in braces.
    mutating func insert(
        _ method: HTTPRequest.Method, _ path: String, name: String, step: Admission.Step? = nil,
        endpoint: Endpoint? = nil, _ handler: @escaping Handler
    ) {
        let key = path.hasSuffix("}") ? Self.split(path[...]).start + "{}" : path.hasSuffix("/") ? "" : path[...]
        routes[key, default: []].append(
            Route(
                method: method, name: name, step: step, bearsSecret: endpoint?.bearsSecret ?? false,
                endpoint: endpoint, handler: handler))
    }

    /// The service for a request, and the component of its path that stands for anything.
    ///
    /// Throws the refusal of a request for which there is none: a wrong method is told from a wrong path (RFC 9110,
    /// 15.5.6).
    func route(
        _ method: HTTPRequest.Method, at path: String
    ) throws(RequestRefusal) -> (handler: Handler, component: Substring?, bearsSecret: Bool) {
        let (known, component) = find(path)
        if let route = Self.route(method, among: known) { return (route.handler, component, route.bearsSecret) }
        throw known.isEmpty ? .notFound : .methodNotAllowed(allow: Self.methods(of: known))
    }

    /// Whether a request asks for a page of a service.
    func asksForPage(_ request: Request) -> Bool {
        let endpoint = Self.route(request.method, among: find(request.uri.path).routes)?.endpoint
        return (try? endpoint?.responseType(accept: request.acceptField)) == .html
    }

    /// The service for a method; HEAD asks the one for GET, whose answer then leaves without its body (RFC 9110, 9.3.2).
    private static func route(_ method: HTTPRequest.Method, among known: [Route]) -> Route? {
        let method = method == .head ? .get : method
        return known.first { $0.method == method }
    }

    private static func methods(of known: [Route]) -> [HTTPRequest.Method] {
        var methods: [HTTPRequest.Method] = []
        for method in known.flatMap({ $0.method == .get ? [.get, .head] : [$0.method] })
        where !methods.contains(method) { methods.append(method) }
        return methods
    }

    /// The service for a request that is refused under load; nil where it never is, or there is none.
    func refusable(_ method: HTTPRequest.Method, at path: String) -> (route: Route, step: Admission.Step)? {
        guard let route = Self.route(method, among: find(path).routes), let step = route.step else {
            return nil
        }
        return (route, step)
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

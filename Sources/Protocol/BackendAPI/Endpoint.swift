package import HTTPTypes

/// Service of the HTTP interface: path, accepted content and response types.
///
/// Servers take every path with and without a slash at the end and never redirect. Callers, members, limits and errors of
/// each service: `docs/web/http-api.md`.
///
/// ```swift
/// let service = Endpoint.registrationRequest
/// let path = Endpoint.serviceRoot + service.path  // To which the client sends a POST.
/// _ = try service.requestType(contentType: contentType)
/// let answer = try service.responseType(accept: accept).fieldValue
/// ```
public struct Endpoint: Sendable, Hashable {
    /// HTTP method of a service.
    public enum Method: String, Sendable {
        /// Reading.
        case get = "GET"
        /// Everything that asks for more than reading and names what it is about in its body.
        case post = "POST"
        /// Changing what the path names.
        case patch = "PATCH"
        /// Removing what the path names.
        case delete = "DELETE"
    }

    /// HTTP method of the service; another one is answered with 405.
    public let method: Method
    /// The path below a service root, without a slash at the end; its last component is ``parameter`` in braces for
    /// services that name what they are about in the path.
    public let path: String
    /// The roots that a server offers the service under; an empty root means that the path is the whole one.
    public let roots: [String]
    /// Types of request bodies the service takes; empty for services without a body.
    public let requestTypes: [MediaType]
    /// Types the service answers with, the preferred one first.
    public let responseTypes: [MediaType]

    package init(
        _ method: Method, _ path: String, roots: [String], takes requestTypes: [MediaType] = [],
        answers responseTypes: [MediaType]
    ) {
        self.method = method
        self.path = path
        self.roots = roots
        self.requestTypes = requestTypes
        self.responseTypes = responseTypes
    }

    /// The name of the component of the path that the caller fills in, for example `deviceId`; nil when there is none.
    public var parameter: String? {
        guard path.utf8.last == UInt8(ascii: "}"), let brace = path.lastIndex(of: "{") else { return nil }
        return String(path[path.index(after: brace)..<path.index(before: path.endIndex)])
    }

    /// The path below a service root with ``parameter`` filled in, percent-encoded as one component (RFC 3986, 3.3).
    public func path(naming value: String) -> String {
        guard let parameter else { return path }
        return path.dropLast(parameter.utf8.count + 2) + PathComponent.encode(value)
    }

    /// The path as the SDK's configuration spells it, with a slash at the end.
    public var clientPath: String { path + "/" }

    /// Every path a server answers at.
    public var serverPaths: [String] {
        roots.flatMap { root in [root + path, root + path + "/"] }
    }

    /// The type that a client says its bodies have and asks for in `Accept`.
    public var clientTypes: (content: MediaType?, accept: MediaType?) {
        (requestTypes.first, responseTypes.first)
    }

    /// Checks the `Content-Type` field of a request and returns the type of the body.
    ///
    /// Throws ``BackendAPIError/unsupportedMediaType`` or ``BackendAPIError/unsupportedCharset``.
    public func requestType(contentType: String?) throws(BackendAPIError) -> MediaType {
        // What our own clients send needs no reading.
        if let type = requestTypes.first(where: { $0.isWritten(contentType) }) { return type }
        let received = try MediaType(parsing: contentType ?? "")
        guard let type = requestTypes.first(where: { $0.essence == received.essence }) else {
            throw .unsupportedMediaType
        }
        guard received.charset == nil || received.charset == "utf-8" else { throw .unsupportedCharset }
        return type
    }

    /// Chooses the type of the answer by the `Accept` field of a request; nil stands for a missing field.
    ///
    /// Throws ``BackendAPIError/notAcceptable``.
    public func responseType(accept: String?) throws(BackendAPIError) -> MediaType {
        // What our own clients send needs no reading: one type and no weight.
        if let type = responseTypes.first(where: { $0.isWritten(accept) }) { return type }
        return try AcceptField(parsing: accept).choice(of: responseTypes)
    }
}

extension Endpoint.Method {
    package var httpMethod: HTTPRequest.Method {
        switch self {
        case .get: .get
        case .post: .post
        case .patch: .patch
        case .delete: .delete
        }
    }
}

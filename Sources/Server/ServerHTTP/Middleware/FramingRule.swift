import HTTPTypes
package import Hummingbird
import Octets

/// Refuses a request whose head or length an intermediary could understand differently (RFC 9112, 2 to 6).
///
/// The listeners of the backend ask ``require(_:_:)`` where they turn errors into responses; a router without that has
/// the rule as middleware.
package struct FramingRule: RouterMiddleware {
    package typealias Context = BackendRequestContext

    package init() {}

    package func handle(
        _ request: Request, context: BackendRequestContext,
        next: @concurrent (Request, BackendRequestContext) async throws -> Response
    ) async throws -> Response {
        try Self.require(request, context)
        return try await next(request, context)
    }

    /// Throws the gate's refusal of the head's form, or the refusal of an ambiguous length.
    static func require(_ request: Request, _ context: BackendRequestContext) throws(RequestRefusal) {
        if let refusal = context.headRefusal ?? Self.refusal(of: request.headers) { throw refusal }
    }

    /// Reason to refuse the length of the body; nil when it can be relied upon.
    ///
    /// Only `chunked` alone can be read. Where it is not the last coding the end of the body is unknown, which the
    /// standard wants refused as the client's fault; another coding before it is one that this server does not have.
    static func refusal(of headers: HTTPFields) -> RequestRefusal? {
        let fields = headers[values: .transferEncoding]
        guard !fields.isEmpty else { return nil }
        if headers[.contentLength] != nil { return .ambiguousLength }
        let codings = fields.flatMap { $0.split(separator: ",", omittingEmptySubsequences: false) }
            .map { $0.filter { $0 != " " && $0 != "\t" }.lowercased() }
        guard codings.last?.hasSameOctets(as: "chunked") == true else { return .undeterminedLength }
        let others = codings.dropLast()
        if others.contains(where: { $0.isEmpty || $0.hasSameOctets(as: "chunked") }) { return .malformedFraming }
        return others.isEmpty ? nil : .unknownTransferCoding
    }
}

import HTTPTypes
import Hummingbird
import Octets

/// Refuses a request whose length another reader on its way could understand differently (RFC 9112, 6).
struct FramingRule: RouterMiddleware {
    typealias Context = BackendRequestContext

    func handle(
        _ request: Request, context: BackendRequestContext,
        next: @concurrent (Request, BackendRequestContext) async throws -> Response
    ) async throws -> Response {
        if let refusal = Self.refusal(of: request.headers) { throw refusal }
        return try await next(request, context)
    }

    /// Why the length cannot be relied upon; nil when it can.
    ///
    /// The only transfer coding is `chunked`, once: any other one would have to be undone, and is none of ours.
    static func refusal(of headers: HTTPFields) -> RequestRefusal? {
        let fields = headers[values: .transferEncoding]
        guard !fields.isEmpty else { return nil }
        if headers[.contentLength] != nil { return .ambiguousLength }
        let codings = fields.flatMap { $0.split(separator: ",", omittingEmptySubsequences: false) }
            .map { $0.filter { $0 != " " && $0 != "\t" }.lowercased() }
        if codings.contains(where: { !$0.hasSameOctets(as: "chunked") && !$0.isEmpty }) {
            return .unknownTransferCoding
        }
        return codings.count == 1 && !codings[0].isEmpty ? nil : .malformedFraming
    }
}

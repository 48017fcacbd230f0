import BackendAPI
import BackendTransport
public import Foundation

/// A server answered with an HTTP status that the operation cannot use.
///
/// It comes as the cause of a `NetworkError`.
public struct HTTPStatusError: LocalizedError, Hashable, Sendable {
    /// The HTTP status, for example 503.
    public let statusCode: Int
    /// The beginning of the body as text, at most 512 bytes; for people, not for programs.
    public let bodyExcerpt: String
    /// Whole seconds after which the server may be asked again (`Retry-After`, RFC 9110 section 10.2.3); nil where it names
    /// no such number.
    public let retryAfterSeconds: Int?

    /// Reason that the server names; nil where it names none, as a proxy before it.
    let code: ErrorCode?

    static let excerptByteCount = 512

    /// Creates an answer; of the body only the beginning is kept.
    public init(statusCode: Int, body: some Collection<UInt8>, retryAfterSeconds: Int? = nil) {
        self.statusCode = statusCode
        self.retryAfterSeconds = retryAfterSeconds
        code = (try? ErrorBody(body: Array(body)))?.code
        bodyExcerpt = String(decoding: body.prefix(Self.excerptByteCount), as: UTF8.self)
    }

    /// The status in a sentence, without the body.
    public var errorDescription: String? { "The server answered with the HTTP status \(statusCode)." }

    /// Whether the server has too much to do, or too many requests come from here.
    var isOverload: Bool { statusCode == 429 || code == .overloaded }

    /// Whether waiting helps: the server has too much to do, or something that it needs is away.
    var endsWithTime: Bool { isOverload || statusCode == 503 }

    var isTemporary: Bool { statusCode == 408 || statusCode == 429 || statusCode >= 500 }
}

extension HTTPStatusError {
    init(_ response: BackendResponse) {
        self.init(
            statusCode: response.status, body: response.body, retryAfterSeconds: response.retryAfterSeconds)
    }
}

extension BackendResponse {
    /// Whole seconds that the server asks to wait; nil for none, for a date and for what is no number.
    var retryAfterSeconds: Int? {
        headers.first("Retry-After").flatMap { Int($0) }.flatMap { $0 >= 0 ? $0 : nil }
    }
}

extension HTTPStatusError: CustomStringConvertible, CustomReflectable {
    /// The status, without the body: a server may say again what was sent to it.
    public var description: String { "HTTPStatusError(\(statusCode))" }

    /// The status.
    public var customMirror: Mirror { Mirror(self, children: ["statusCode": statusCode], displayStyle: .struct) }
}

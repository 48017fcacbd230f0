import Foundation
import Locking

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The tasks of one session that are running: collects their responses, follows no redirect, judges their servers.
final class URLSessionTasks: NSObject, URLSessionDataDelegate {
    typealias Outcome = Result<BackendResponse, BackendTransportError>

    /// Host and port that connections go to.
    struct Authority: Hashable {
        let host: String
        let port: Int

        /// The one of an `https` address; nil without a host.
        init?(_ url: URL?) {
            guard let url, let host = url.host() else { return nil }
            self.init(host: host, port: url.port ?? 443)
        }

        init(host: String, port: Int) {
            self.host = host.lowercased()
            self.port = port
        }
    }

    /// One exchange that is running.
    private struct Exchange {
        let byteLimit: Int
        let authority: Authority?
        let report: AsyncStream<Outcome>.Continuation
        var head: (status: Int, headers: HeaderFields)?
        var body: [UInt8] = []
        var decision: BackendTransportError?
        /// Facts of the connection that was made for it; nil where it came over one that was there.
        var connection: ConnectionFacts?
    }

    let trust: TransportTrust
    private let running = Lock<[Int: Exchange]>([:])
    /// Facts of the last connection to each server; the system asks about a certificate once for each connection.
    private let seen = Lock<[Authority: ConnectionFacts]>([:])

    init(_ trust: TransportTrust) { self.trust = trust }

    /// Takes note of a task that has not been started yet; its outcome comes as the one element of the stream.
    func outcomes(of task: URLSessionTask, byteLimit: Int) -> AsyncStream<Outcome> {
        let (stream, report) = AsyncStream.makeStream(of: Outcome.self)
        let authority = Authority(task.originalRequest?.url)
        running.withLock {
            $0[task.taskIdentifier] = Exchange(byteLimit: byteLimit, authority: authority, report: report)
        }
        return stream
    }

    /// Takes note of the certificate of a connection that may be used, and was made for a task.
    ///
    /// Another connection that is made before the answer comes does not change what is told with that answer.
    func note(_ certificate: [UInt8], of authority: Authority, for task: Int) {
        let facts = ConnectionFacts(certificate: certificate)
        running.withLock { running in
            if running[task]?.authority == authority { running[task]?.connection = facts }
        }
        seen.withLock { $0[authority] = facts }
    }

    private func facts(of exchange: Exchange) -> ConnectionFacts? {
        exchange.connection ?? exchange.authority.flatMap { authority in seen.withLock { $0[authority] } }
    }

    /// Decides that a task has failed; the error that it ends with tells less.
    func decide(_ failure: BackendTransportError, about task: URLSessionTask) {
        running.withLock { $0[task.taskIdentifier]?.decision = failure }
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        completionHandler(nil)
    }

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        let head = (response as? HTTPURLResponse).map { response in
            let fields = response.allHeaderFields.compactMap { name, value in
                (name as? String).map { (name: $0, value: String(describing: value)) }
            }
            return (status: response.statusCode, headers: HeaderFields(joined: fields))
        }
        running.withLock { $0[dataTask.taskIdentifier]?.head = head }
        completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        let isTooMuch = running.withLock { running in
            guard var exchange = running.removeValue(forKey: dataTask.taskIdentifier) else { return false }
            let isTooMuch = data.count > exchange.byteLimit - exchange.body.count
            if isTooMuch {
                exchange.decision = exchange.decision ?? .responseTooLarge(limit: exchange.byteLimit)
            } else {
                exchange.body += data
            }
            running[dataTask.taskIdentifier] = exchange
            return isTooMuch
        }
        if isTooMuch { dataTask.cancel() }
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        guard let exchange = running.withLock({ $0.removeValue(forKey: task.taskIdentifier) }) else { return }
        exchange.report.yield(Self.outcome(of: exchange, error, over: facts(of: exchange)))
        exchange.report.finish()
    }

    private static func outcome(
        of exchange: Exchange, _ error: (any Error)?, over connection: ConnectionFacts?
    ) -> Outcome {
        guard let error else {
            guard exchange.decision == nil, let head = exchange.head else {
                return .failure(exchange.decision ?? .malformedResponse)
            }
            return .success(
                BackendResponse(
                    status: head.status, headers: head.headers, body: exchange.body, connection: connection))
        }
        let code = (error as? URLError)?.code.rawValue
        return .failure(LoadingFailure(code: code, decision: exchange.decision).meaning)
    }
}

/// Failure of a task of the URL loading system, and its mapping to an error of the transport.
///
/// Pure code: the system tells of a connection that a delegate has refused, and of a body that was cut off, only that
/// the task "was cancelled"; what was decided has to be remembered beside it.
struct LoadingFailure: Hashable, Sendable {
    /// The code of the `URLError`; nil for an error of another kind.
    let code: Int?
    /// Decision that this transport made about the task earlier; it takes precedence over the code.
    var decision: BackendTransportError?

    /// The error of the port.
    ///
    /// Never ``BackendTransportError/cancelled``: only the caller knows whether they have cancelled.
    var meaning: BackendTransportError {
        if let decision { return decision }
        return switch code {
        // NSURLErrorTimedOut
        case -1_001: .timedOut
        // CannotFindHost, DNSLookupFailed
        case -1_003, -1_006: .unknownHost
        // CannotConnectToHost
        case -1_004: .closedPort
        // BadURL, UnsupportedURL
        case -1_000, -1_002: .unusableAddress
        // AppTransportSecurityRequiresSecureConnection
        case -1_022: .insecureAddress
        // SecureConnectionFailed, ClientCertificateRejected, ClientCertificateRequired
        case -1_200, -1_205, -1_206: .untrustedConnection(.handshake)
        // ServerCertificateHasBadDate, Untrusted, HasUnknownRoot, NotYetValid
        case -1_201, -1_202, -1_203, -1_204: .untrustedConnection(.untrustedCertificate)
        // BadServerResponse, CannotDecodeRawData, CannotDecodeContentData, CannotParseResponse
        case -1_011, -1_015, -1_016, -1_017: .malformedResponse
        default: .noConnection
        }
    }
}

extension HeaderFields {
    /// The fields of a response in which the URL loading system has joined fields of one name with commas.
    ///
    /// `Set-Cookie` is the one field that must not be joined (RFC 9110, section 5.3), yet the system joins it; here it
    /// becomes several again.
    init(joined fields: [(name: String, value: String)]) {
        self.init(
            fields.sorted { $0.name < $1.name }.flatMap { field in
                guard field.name.lowercased() == "set-cookie" else { return [Field(field.name, field.value)] }
                return Self.cookies(in: field.value).map { Field(field.name, $0) }
            })
    }

    /// The `Set-Cookie` values that were joined.
    ///
    /// A comma separates two when the next pair of a name and `=` begins behind it: the comma of a date is followed by
    /// a day, and by `;` or the end before any `=`.
    static func cookies(in joined: String) -> [String] {
        var cookies: [Substring] = []
        var rest = joined[...]
        var end = rest.startIndex
        while let comma = rest[end...].firstIndex(of: ",") {
            let next = rest[rest.index(after: comma)...]
            if beginsCookie(next) {
                cookies.append(rest[..<comma])
                rest = next
            }
            end = next.startIndex
        }
        cookies.append(rest)
        return cookies.map { $0.trimming() }.filter { !$0.isEmpty }
    }

    private static func beginsCookie(_ text: Substring) -> Bool {
        let name = text.drop { $0 == " " || $0 == "\t" }.prefix { !"=;, \t".contains($0) }
        return !name.isEmpty && text[name.endIndex...].first == "="
    }
}

extension Substring {
    fileprivate func trimming() -> String {
        var text = self
        while let first = text.first, first == " " || first == "\t" { text.removeFirst() }
        while let last = text.last, last == " " || last == "\t" { text.removeLast() }
        return String(text)
    }
}

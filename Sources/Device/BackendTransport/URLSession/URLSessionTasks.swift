import Foundation
import Synchronization

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The tasks of one session that are running: collects their responses, follows no redirect, judges their servers.
final class URLSessionTasks: NSObject, URLSessionDataDelegate {
    /// How an exchange ends.
    typealias Outcome = Result<BackendResponse, BackendTransportError>

    /// One exchange that is running.
    private struct Exchange {
        let byteLimit: Int
        let report: AsyncStream<Outcome>.Continuation
        var head: (status: Int, headers: HeaderFields)?
        var body: [UInt8] = []
        var decision: BackendTransportError?
    }

    let trust: TransportTrust
    private let running = Mutex<[Int: Exchange]>([:])

    init(_ trust: TransportTrust) {
        self.trust = trust
    }

    /// Takes note of a task that has not been started yet; its outcome comes as the one element of the stream.
    func outcomes(of task: URLSessionTask, byteLimit: Int) -> AsyncStream<Outcome> {
        let (stream, report) = AsyncStream.makeStream(of: Outcome.self)
        running.withLock { $0[task.taskIdentifier] = Exchange(byteLimit: byteLimit, report: report) }
        return stream
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
        exchange.report.yield(Self.outcome(of: exchange, error))
        exchange.report.finish()
    }

    private static func outcome(of exchange: Exchange, _ error: (any Error)?) -> Outcome {
        guard let error else {
            guard exchange.decision == nil, let head = exchange.head else {
                return .failure(exchange.decision ?? .malformedResponse)
            }
            return .success(BackendResponse(status: head.status, headers: head.headers, body: exchange.body))
        }
        let code = (error as? URLError)?.code.rawValue
        return .failure(LoadingFailure(code: code, decision: exchange.decision).meaning)
    }
}

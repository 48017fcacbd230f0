import BackendTransport
import CommandSupport
import Synchronization

/// The way to a server that is killed in the middle of an exchange.
final class DyingServer: HTTPTransport {
    /// When the server dies.
    enum Moment: CaseIterable {
        /// The message is on its way; the server never sees it.
        case beforeMessage
        /// The server has answered; the answer never arrives.
        case beforeAnswer
    }

    private let way: any HTTPTransport
    private let process: ChildProcess
    private let moment: Moment
    private let exchangesLeft: Mutex<Int>

    /// A way to the server that `process` runs, until the exchange with the given number, counted from 1.
    init(over way: any HTTPTransport, to process: ChildProcess, dyingIn exchange: Int, _ moment: Moment) {
        self.way = way
        self.process = process
        self.moment = moment
        exchangesLeft = Mutex(exchange)
    }

    func response(to request: BackendRequest) async throws(BackendTransportError) -> BackendResponse {
        let isLast = exchangesLeft.withLock { left in
            left -= 1
            return left == 0
        }
        guard isLast else { return try await way.response(to: request) }
        if moment == .beforeAnswer { _ = try await way.response(to: request) }
        process.kill()
        // The socket of a process that was killed is closed once the process is gone.
        _ = await process.ending()
        guard moment == .beforeMessage else { throw .noConnection }
        return try await way.response(to: request)
    }
}

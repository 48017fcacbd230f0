import Locking

/// A transport that fails when told so.
///
/// ```swift
/// let network = FaultyTransport(over: try NetworkTransport(for: configuration))
/// let phone = try await TestPhone(configuration, over: network)
/// network.next(.lostAnswer)  // The server acts, and the phone never hears of it.
/// ```
public final class FaultyTransport: TestTransport {
    /// Fault of one exchange.
    public enum Fault: Hashable, Sendable {
        /// Nothing.
        case none
        /// The request does not arrive.
        case lostRequest
        /// The request arrives, the answer does not.
        case lostAnswer
        /// The request arrives; the phone stops waiting.
        case lateAnswer
        /// The server answers with a status and no body, without looking at the request.
        case status(Int)
        /// One byte of the answer's body is changed, at a position counted from its beginning.
        case changedByte(at: Int)
        /// The answer's body is cut.
        case cut(to: Int)
        /// The request arrives twice, and the second answer is given.
        case repeated
    }

    private struct State {
        var faults: [Fault] = []
        var requests: [TestRequest] = []
    }

    private let transport: any TestTransport
    private let state = Lock(State())

    /// Stands in front of another transport.
    public init(over transport: any TestTransport) { self.transport = transport }

    /// Scripts the faults of the next exchanges; those after them succeed.
    public func next(_ faults: Fault...) { state.withLock { $0.faults += faults } }

    /// Every request that was made, in order.
    public var requests: [TestRequest] { state.withLock { $0.requests } }

    /// Answers a request, with the fault that is due.
    ///
    /// Throws a ``TestNetworkError``.
    public func answer(to request: TestRequest) async throws -> TestResponse {
        let fault = state.withLock { state in
            state.requests.append(request)
            return state.faults.isEmpty ? .none : state.faults.removeFirst()
        }
        switch fault {
        case .none: return try await transport.answer(to: request)
        case .lostRequest: throw TestNetworkError.noConnection
        case .status(let status): return TestResponse(status: status)
        case .lostAnswer:
            _ = try await transport.answer(to: request)
            throw TestNetworkError.noConnection
        case .lateAnswer:
            _ = try await transport.answer(to: request)
            throw TestNetworkError.timedOut
        case .repeated:
            _ = try await transport.answer(to: request)
            return try await transport.answer(to: request)
        case .changedByte(let position):
            var response = try await transport.answer(to: request)
            if response.body.indices.contains(position) { response.body[position] ^= 1 }
            return response
        case .cut(let count):
            var response = try await transport.answer(to: request)
            response.body = Array(response.body.prefix(count))
            return response
        }
    }
}

package import FuzzParsers
import NIOPosix

/// Listener of this process that receives the inputs.
package final class RunningPipeline: Sendable {
    private let name: String
    private let port: Int
    /// Value of a session cookie, which replaces ``FuzzedPipeline/sessionMark``.
    private let session: [UInt8]
    private let running: Task<Void, any Error>

    init(name: String, port: Int, session: String, running: Task<Void, any Error>) {
        self.name = name
        self.port = port
        self.session = Array(session.utf8)
        self.running = running
    }

    deinit { running.cancel() }

    /// Sends bytes as one connection and checks the response; returns the statuses of the responses, in order.
    ///
    /// Blocks the thread. Throws ``FuzzFinding`` for a status of 500 or above that is neither 501 nor 503, and for a
    /// connection that is neither answered completely nor closed.
    @discardableResult
    package func statuses(of input: [UInt8]) throws(FuzzFinding) -> [Int] {
        let answer: [UInt8]
        do throws(PipelineConnection.Failure) {
            answer = try PipelineConnection.exchange(withSession(input), port: port)
        } catch {
            throw FuzzFinding(parser: name, promise: "every connection is answered or closed (\(error))")
        }
        let statuses = Self.statuses(in: answer)
        guard statuses.allSatisfy({ $0 < 500 || $0 == 501 || $0 == 503 }) else {
            throw FuzzFinding(parser: name, promise: "no answer is a fault of the server (\(statuses))")
        }
        return statuses
    }

    /// The same on a thread that may block, for callers that must not.
    @discardableResult
    package func awaitedStatuses(of input: [UInt8]) async throws -> [Int] {
        try await NIOThreadPool.singleton.runIfActive { try self.statuses(of: input) }
    }

    private func withSession(_ input: [UInt8]) -> [UInt8] {
        let mark = Array(FuzzedPipeline.sessionMark.utf8)
        guard let place = input.firstRange(of: mark) else { return input }
        return input[..<place.lowerBound] + session + input[place.upperBound...]
    }

    /// Statuses of all status lines; no text of a client is echoed with the spaces of such a line.
    private static func statuses(in answer: [UInt8]) -> [Int] {
        let start = Array("HTTP/1.1 ".utf8)
        return answer.ranges(of: start).compactMap { line in
            Int(String(decoding: answer[line.upperBound...].prefix(3), as: UTF8.self))
        }
    }
}

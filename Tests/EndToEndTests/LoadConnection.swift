import BackendAPI
import BackendTransport
import CommandSupport
import DemoCommands
import Synchronization
import UAF

/// How phones under load reach one run of the server, which is killed once it has given a number of answers.
final class LoadConnection: Sendable {
    private let transport: any HTTPTransport
    private let address: String
    private let process: ChildProcess
    private let answersLeft: Mutex<Int>

    /// Connects to the process that runs now, or to a proxy before it; nil: it stays alive however much it answers.
    init(
        to server: LocalServer, through proxy: HAProxy? = nil, running process: ChildProcess,
        killedAfter answers: Int? = nil
    ) throws {
        transport = try server.transport()
        address = proxy?.address ?? server.address
        self.process = process
        answersLeft = Mutex(answers ?? .max)
    }

    /// Whether the server has been killed.
    var isCut: Bool { answersLeft.withLock { $0 <= 0 } }

    /// Posts a body; nil when no whole answer came back.
    func post(_ path: String, _ body: [UInt8]) async -> [UInt8]? {
        await answer(
            to: path, body,
            [.init("Content-Type", "application/fido+uaf;charset=UTF-8"), .init("Accept", "application/fido+uaf")])
    }

    /// Calls a JSON service, with an access key where it asks for one; nil when no whole answer came back.
    func call(_ endpoint: Endpoint, _ body: [UInt8], key: String? = nil) async -> [UInt8]? {
        let accepted = endpoint.responseTypes.first?.essence ?? "*/*"
        var headers: HeaderFields = [.init("Content-Type", "application/json"), .init("Accept", accepted)]
        if let key { headers.append("Authorization", "Bearer " + key) }
        return await answer(to: Endpoint.serviceRoot + endpoint.path, body, headers)
    }

    private func answer(to path: String, _ body: [UInt8], _ headers: HeaderFields) async -> [UInt8]? {
        let request = BackendRequest(.post, address + path, headers: headers, body: body)
        guard let answer = try? await transport.response(to: request) else { return nil }
        countAnswer()
        return answer.body
    }

    /// Sends a response and returns the verdict; nil when none came back.
    func verdict(on response: SentResponse) async throws -> StatusCode? {
        guard let answer = await post(response.path, response.body) else { return nil }
        return try ServerResponse(body: answer).statusCode
    }

    private func countAnswer() {
        let isLast = answersLeft.withLock { left in
            left -= 1
            return left == 0
        }
        if isLast { process.kill() }
    }
}

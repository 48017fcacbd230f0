import BackendAPI
import BenchmarkSupport
import CommandSupport
import DemoCommands
import DeviceCommands
import Foundation
import NIOHTTP1
import StrictJSON

/// Push service as a process, as the server and the phones see it.
///
/// Its CPU time is not counted: another company pays for it.
final class PushService: Sendable {
    /// Configuration of the server's dispatcher.
    var dispatcher: String { sink.dispatcher }

    private let scratch: TemporaryFolder
    private let sink: LocalPushSink
    private let network: PhoneNetwork

    /// Starts the process in a folder that is deleted with the value.
    init() async throws {
        guard let program = ServerProgram.pushSink else { throw BenchmarkFailure.pushSinkNotBuilt }
        scratch = try TemporaryFolder(named: "signet-benchmark-push")
        sink = try await LocalPushSink(program: program, folder: scratch.url.appending(path: "push"))
        guard let port = URL(string: sink.address)?.port else { throw BenchmarkFailure.badConstant }
        network = try PhoneNetwork(port: port, authorityFile: sink.authorityFile.path())
    }

    /// Mailbox of a new phone.
    func subscribe() async throws -> PushMailbox {
        let token = try await sink.client.subscribe().token
        return PushMailbox(token: token, over: try await network.connect())
    }

    /// Ends the process and the connections.
    func end() async throws {
        try await network.shutDown()
        await sink.stop()
    }
}

/// Messages for one phone at the push service.
struct PushMailbox {
    /// Longest wait for a message in seconds, which is shorter than the patience of the connection.
    private static let longestWait = 3

    /// Registration token of the phone.
    let token: String
    private let connection: PhoneConnection
    private var lastNumber = 0

    init(token: String, over connection: PhoneConnection) {
        self.token = token
        self.connection = connection
    }

    /// Payload of the next message; throws unless exactly one has come.
    mutating func next() async throws -> OutOfBandEnvelope {
        let path = "/sink/devices/\(token)/messages?after=\(lastNumber)&wait=\(Self.longestWait)"
        let response = try await connection.exchange(.GET, path, [:], nil)
        let answer = try WebAnswer(response, to: "message of the push service").having(.ok)
        guard let members = try? JSONParser.parse(answer.body).asObject(),
            case .array(let messages)? = members["messages"], messages.count == 1,
            let message = try? messages.first?.asObject(), let number: Int = try? message.integer("number"),
            let payload = message["data"]
        else { throw answer.failure("single message") }
        lastNumber = number
        return try OutOfBandEnvelope(body: JSONWriter.write(payload))
    }

    /// Closes the connection.
    func hangUp() async throws { try await connection.close() }
}

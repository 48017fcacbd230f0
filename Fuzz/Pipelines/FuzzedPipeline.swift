import Hummingbird
import ServerHTTP

/// HTTP pipeline under test: its input is all bytes of a connection, and it contains everything from the framing to the
/// database in memory.
///
/// For any input the process keeps running, every request is answered or its connection is closed, and no response is a
/// fault of the server.
package struct FuzzedPipeline: Sendable {
    /// Mark in inputs that stands for a user's session cookie, whose value a fuzzer could not guess.
    package static let sessionMark = "@session@"
    /// Access key of portals in inputs.
    package static let accessKey = "pipeline-portal-key-0123456789-0123456789"

    /// Name for the command line and the folder of its regressions.
    package let name: String
    /// Seed inputs: well-formed and deceptive requests.
    package let seeds: [[UInt8]]
    private let listen: Listen

    /// Called with the port once the application listens.
    typealias Started = @Sendable (_ port: Int) async -> Void
    /// Factory of the application.
    typealias Listen = @Sendable (@escaping Started) async throws -> Stage

    /// Application of a pipeline, ready to run.
    struct Stage: Sendable {
        let application: any ApplicationProtocol
        /// Value of a session cookie; empty without sessions.
        var session = ""
    }

    init(_ name: String, seeds: [[UInt8]], listen: @escaping Listen) {
        self.name = name
        self.seeds = seeds
        self.listen = listen
    }

    /// The pipeline with a name.
    package static func named(_ name: String) -> FuzzedPipeline? {
        all.first { $0.name.utf8.elementsEqual(name.utf8) }
    }

    /// Opens a listener with services and a database of its own; it is closed with the returned value.
    package func start() async throws -> RunningPipeline {
        let (ports, announcement) = AsyncStream<Int>.makeStream()
        let stage = try await listen { port in
            announcement.yield(port)
            announcement.finish()
        }
        let running = Task { @concurrent in
            defer { announcement.finish() }
            try await stage.application.run()
        }
        for await port in ports {
            return RunningPipeline(name: name, port: port, session: stage.session, running: running)
        }
        try await running.value
        throw CancellationError()
    }
}

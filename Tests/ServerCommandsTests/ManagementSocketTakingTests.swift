import CommandSupport
import Logging
import ServerCore
import ServerHTTP
import TestSupport
import Testing

@testable import ServerCommands

@Suite("Path of the management socket")
struct ManagementSocketTakingTests {
    private let folder: TestSupport.TemporaryFolder
    private var path: String { folder.path + "/m.sock" }

    init() throws { folder = try TestSupport.TemporaryFolder() }

    @Test("A path is taken by one process at a time")
    func once() throws {
        let socket = try ManagementSocket.take(path, access: .owner)
        #expect(throws: CommandFailure.self) { _ = try ManagementSocket.take(path, access: .owner) }
        socket.remove()
        let next = try ManagementSocket.take(path, access: .owner)
        #expect(try folder.permissions(of: String(next.draft.dropLast(2).dropFirst(folder.path.count + 1))) == 0o700)
        next.remove()
        #expect(try folder.names() == ["m.sock.lock"])
    }

    @Test("The socket of a program that knows no lock is left alone while it listens")
    func foreign() async throws {
        let (opened, continuation) = AsyncStream<Void>.makeStream()
        let application = try HTTPListener(
            unixSocket: path, limits: RequestLimits(), logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        ).application(
            responder: HTTPRouting(limits: RequestLimits(), metrics: MetricsRegistry(), now: { 0 })
                .managementResponder(health: ServerHealth()), identity: nil,
            started: { _ in continuation.finish() })
        let foreign = Task { try await HTTPListener.run(application) }
        for await _ in opened {}
        let failure = #expect(throws: CommandFailure.self) { _ = try ManagementSocket.take(path, access: .owner) }
        #expect(failure?.message.contains("another program listens on it") == true)
        foreign.cancel()
        _ = await foreign.result
    }
}

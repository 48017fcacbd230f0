import Foundation
import ServerCore
import ServerProcesses
import Synchronization
import TestSupport
import Testing

@Suite("Messages between server processes on one machine", .timeLimit(.minutes(10)))
struct LocalProcessChannelTests {
    private let folder: TestSupport.TemporaryFolder
    private let random = SystemRandomSource()
    private var database: String { folder.path + "/signet.sqlite" }

    init() throws {
        folder = try TestSupport.TemporaryFolder()
    }

    /// Messages that a channel has heard.
    private final class Inbox: Sendable {
        private let messages = AsyncStream<ProcessMessage>.makeStream()

        init(of channel: LocalProcessChannel) {
            channel.receive { [continuation = messages.continuation] in continuation.yield($0) }
        }

        /// The next messages, as many as are waited for.
        func next(_ count: Int) async -> [ProcessMessage] {
            var heard: [ProcessMessage] = []
            for await message in messages.stream {
                heard.append(message)
                if heard.count == count { break }
            }
            return heard
        }
    }

    private func channel() throws -> LocalProcessChannel {
        try LocalProcessChannel(besides: database, random: random)
    }

    private var sockets: [String] {
        get throws {
            try FileManager.default.contentsOfDirectory(atPath: database + ".processes").sorted()
        }
    }

    @Test("What one process says every other one hears, and it does not hear itself")
    func delivery() async throws {
        let channels = try (0..<3).map { _ in try channel() }
        let inboxes = channels.map { Inbox(of: $0) }
        let ids = (0..<3).map { _ in CeremonyID(from: random) }
        for (channel, id) in zip(channels, ids) { channel.send(.moved([id])) }
        for (number, inbox) in inboxes.enumerated() {
            let others = Set(ids.enumerated().filter { $0.offset != number }.map { ProcessMessage.moved([$0.element]) })
            #expect(Set(await inbox.next(2)) == others)
        }
        for channel in channels { channel.close() }
    }

    @Test("A burst arrives as a whole, in datagrams that hold many messages")
    func burst() async throws {
        let (sender, receiver) = (try channel(), try channel())
        let inbox = Inbox(of: receiver)
        let ids = (0..<2_000).map { _ in CeremonyID(from: random) }
        for id in ids { sender.send(.moved([id])) }
        #expect(Set(await inbox.next(ids.count)) == Set(ids.map { .moved([$0]) }))
        sender.close()
        receiver.close()
    }

    /// Number of requests that a message counts; 0 for one that counts nothing.
    private static func count(_ message: ProcessMessage) -> Int {
        guard case .counted(_, let entries) = message else { return 0 }
        return entries.reduce(0) { $0 + $1.count }
    }

    @Test("Counts arrive without anything urgent behind them, those that gathered added up, and none twice")
    func counts() async throws {
        let (sender, receiver) = (try channel(), try channel())
        let inbox = Inbox(of: receiver)
        let entry = try #require(ProcessMessage.KeyCount(key: "192.0.2.1", count: 1))
        for _ in 0..<3 {
            for _ in 0..<100 { sender.send(.counted(.addressRequests, [entry])) }
            var (sum, messages) = (0, 0)
            while sum < 100 {
                sum += Self.count(try #require(await inbox.next(1).first))
                messages += 1
            }
            #expect(sum == 100 && messages < 100)
        }
        sender.close()
        receiver.close()
    }

    @Test("What is urgent takes the counts along that gather")
    func urgency() async throws {
        let (sender, receiver) = (try channel(), try channel())
        let inbox = Inbox(of: receiver)
        let entry = try #require(ProcessMessage.KeyCount(key: "192.0.2.1", count: 3))
        sender.send(.counted(.addressRequests, [entry]))
        sender.send(.changed(.keys))
        #expect(Set(await inbox.next(2)) == [.counted(.addressRequests, [entry]), .changed(.keys)])
        sender.close()
        receiver.close()
    }

    @Test("The socket of a process that was killed is removed by the next sender; live ones hear on")
    func staleSocket() async throws {
        let (sender, receiver) = (try channel(), try channel())
        let inbox = Inbox(of: receiver)
        let alive = try sockets
        // A socket whose process has ended: bound, and closed without a word.
        let path = database + ".processes/x.sock"
        try #require(StaleSocket.leave(at: path))
        #expect(try sockets.count == 3)
        sender.send(.changed(.keys))
        #expect(await inbox.next(1) == [.changed(.keys)])
        while try sockets != alive { await Task.yield() }
        sender.close()
        #expect(try sockets.count == 1, "an end in order removes its socket itself")
        receiver.close()
        #expect(try sockets.isEmpty)
    }

    @Test("A path that is longer than the address of a socket may be does as well")
    func longPath() async throws {
        let deep = folder.path + "/" + String(repeating: "d", count: 120)
        try FileManager.default.createDirectory(atPath: deep, withIntermediateDirectories: true)
        let one = try LocalProcessChannel(besides: deep + "/signet.sqlite", random: random)
        let two = try LocalProcessChannel(besides: deep + "/signet.sqlite", random: random)
        let inbox = Inbox(of: two)
        one.send(.changed(.keys))
        #expect(await inbox.next(1) == [.changed(.keys)])
        one.close()
        two.close()
    }

    @Test("A command tells the servers, and leaves no socket behind")
    func announcer() async throws {
        let server = try channel()
        let inbox = Inbox(of: server)
        let before = try sockets
        try LocalProcessChannel.Announcer(besides: database).send(.changed(.keys))
        #expect(await inbox.next(1) == [.changed(.keys)])
        #expect(try sockets == before)
        server.close()
    }

    @Test("A folder that others may enter is refused, and so is something else in its place")
    func foreignFolder() throws {
        let path = database + ".processes"
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o755])
        #expect(throws: ServerProcessesError.folder(path: path, errorNumber: EACCES)) { try channel() }
        try FileManager.default.removeItem(atPath: path)
        #expect(FileManager.default.createFile(atPath: path, contents: nil))
        #expect(throws: ServerProcessesError.folder(path: path, errorNumber: ENOTDIR)) { try channel() }
        try FileManager.default.removeItem(atPath: path)
        try channel().close()
    }

    @Test("Junk in the folder and on the socket ends nothing")
    func junk() async throws {
        let (sender, receiver) = (try channel(), try channel())
        let inbox = Inbox(of: receiver)
        #expect(FileManager.default.createFile(atPath: database + ".processes/notes.txt", contents: nil))
        #expect(FileManager.default.createFile(atPath: database + ".processes/file.sock", contents: nil))
        for name in try sockets { StaleSocket.send([1, 2, 3], to: database + ".processes/" + name) }
        sender.send(.changed(.keys))
        #expect(await inbox.next(1) == [.changed(.keys)])
        sender.close()
        receiver.close()
    }
}

/// Sockets by calls of the system, beside the target under test.
private enum StaleSocket {
    /// Binds a socket and closes it, as a process does that is killed; false when that is not possible.
    static func leave(at path: String) -> Bool {
        with(path) { descriptor, address, length in bind(descriptor, address, length) == 0 } ?? false
    }

    /// Sends octets to a socket.
    static func send(_ octets: [UInt8], to path: String) {
        _ = with(path) { descriptor, address, length in
            sendto(descriptor, octets, octets.count, Int32(MSG_DONTWAIT), address, length)
        }
    }

    private static func with<Value>(
        _ path: String, _ body: (Int32, UnsafePointer<sockaddr>, socklen_t) -> Value
    ) -> Value? {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let octets = Array(path.utf8)
        guard octets.count < MemoryLayout.size(ofValue: address.sun_path) else { return nil }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: octets) }
        let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
        defer { close(descriptor) }
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }
}

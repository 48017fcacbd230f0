import LoadControl
import NIOCore
import NIOEmbedded
import NIOHTTP1
import Octets
import TestSupport
import Testing

@testable import HTTPEngine

@Suite("TLS: handshakes under load have turns", .timeLimit(.minutes(5)))
struct HandshakeQueueTests {
    /// Requests that may be in flight, of which first steps take four fifths.
    private static let limit = 5
    private static let room = 4

    private let stage = LoadStage()
    private let loop = EmbeddedEventLoop()

    private func queues(inFlight: Int = 0) -> HandshakeQueues {
        HandshakeQueues(
            stage.controller(inFlight: inFlight) {
                $0.inFlight = Self.limit
                $0.leastInFlight = Self.limit
            })
    }

    /// Queues while requests take all the room, with the tickets of these.
    private func fullQueues() -> (HandshakeQueues, [AdmissionTicket]) {
        let load = stage.controller {
            $0.inFlight = Self.limit
            $0.leastInFlight = Self.limit
        }
        let tickets = (0..<Self.room).compactMap { number -> AdmissionTicket? in
            guard case .admitted(let ticket) = load.admit(.first, from: Admission.Source(address: "\(number)")) else {
                return nil
            }
            return ticket
        }
        return (HandshakeQueues(load), tickets)
    }

    /// A connection whose client has sent its first octets, which stand in the pipeline where TLS would.
    private func connection(
        _ queues: HandshakeQueues, _ octets: String = "hello", from address: String = "192.0.2.1"
    ) throws -> Connection {
        let connection = try Connection(queues.scheduler(of: loop), from: address, on: loop)
        try connection.receive(octets)
        return connection
    }

    private struct Connection {
        let gate: HandshakeGate
        let channel: EmbeddedChannel

        init(
            _ scheduler: HandshakeScheduler, from address: String, isShared: Bool = false, on loop: EmbeddedEventLoop
        ) throws {
            gate = HandshakeGate(scheduler, ConnectionOrigin(IPAddress(address)), isShared: isShared)
            channel = EmbeddedChannel(handlers: [gate], loop: loop)
            channel.connect(to: try SocketAddress(unixDomainSocketPath: "/a"), promise: nil)
        }

        func receive(_ octets: String) throws { try channel.writeInbound(ByteBuffer(string: octets)) }

        /// What has come through to TLS.
        func arrived() throws -> String {
            var text = ""
            while let part = try channel.readInbound(as: ByteBuffer.self) { text += String(buffer: part) }
            return text
        }

        var hasBegun: Bool { get throws { try !arrived().isEmpty } }
    }

    private func pass(_ time: TimeAmount) { loop.advanceTime(by: time) }

    @Test("One that meets no other begins at once, and its gate leaves the pipeline")
    func alone() throws {
        let connection = try connection(queues())
        #expect(try connection.arrived() == "hello")
        try connection.receive("again")
        #expect(try connection.arrived() == "again")
        #expect(throws: ChannelPipelineError.notFound) {
            try connection.channel.pipeline.syncOperations.handler(type: HandshakeGate.self)
        }
    }

    @Test("Of several at once the others begin behind the first, with all that their clients have sent meanwhile")
    func together() throws {
        let queues = queues()
        _ = try connection(queues)
        let second = try connection(queues, "hel")
        try second.receive("lo")
        #expect(try second.arrived().isEmpty && stage.depth(of: .handshakes) == 1)
        pass(.milliseconds(1))
        #expect(try second.arrived() == "hello" && stage.depth(of: .handshakes) == 0)
        #expect(stage.waits.count == 1)
    }

    @Test(
        "Requests that are expected of those that have begun take their room; a client that has come or gone takes none"
    )
    func expected() throws {
        let queues = queues()
        let connections = try (0..<Self.room + 2).map { _ in try connection(queues) }
        pass(.milliseconds(5))
        #expect(try connections.map { try $0.hasBegun } == [true, true, true, true, false, false])
        connections[1].gate.settle()
        connections[1].gate.settle()
        pass(.milliseconds(2))
        #expect(try connections[4].hasBegun && !connections[5].hasBegun)
        connections[2].channel.close(promise: nil)
        connections[2].gate.settle()
        pass(.milliseconds(2))
        #expect(try connections[5].hasBegun)
    }

    @Test("Those that are expected on one event loop take their room on every other one, too")
    func severalLoops() throws {
        let (queues, other) = (queues(), EmbeddedEventLoop())
        for _ in 0..<Self.room { _ = try connection(queues) }
        pass(.milliseconds(5))
        let connections = try (0..<2).map { _ in
            try Connection(queues.scheduler(of: other), from: "192.0.2.1", on: other)
        }
        for connection in connections { try connection.receive("hello") }
        #expect(try connections[0].hasBegun, "the first for a long time")
        other.advanceTime(by: .milliseconds(5))
        #expect(try !connections[1].hasBegun)
    }

    @Test("Where requests take all the room one begins in each ten milliseconds, and all as soon as there is room")
    func full() throws {
        let (queues, tickets) = fullQueues()
        let connections = try (0..<5).map { _ in try connection(queues) }
        #expect(try connections[0].hasBegun, "the first for a long time")
        pass(.milliseconds(9))
        #expect(try !connections[1].hasBegun)
        pass(.milliseconds(3))
        #expect(try connections[1].hasBegun && !connections[2].hasBegun)
        for ticket in tickets { ticket.close() }
        for connection in connections { connection.gate.settle() }
        pass(.milliseconds(2))
        #expect(try connections.dropFirst(2).allSatisfy { try $0.hasBegun })
    }

    @Test("Once the longest wait exceeds a tenth of a second the last to come is the next")
    func lastFirst() throws {
        let queues = queues(inFlight: Self.room)
        _ = try connection(queues)
        let early = try (0..<12).map { _ in try connection(queues) }
        pass(.milliseconds(95))
        let begun = try early.map { try $0.hasBegun }
        #expect(begun == begun.sorted { $0 && !$1 } && begun.contains(true) && begun.contains(false), "in order before")
        let late = try connection(queues)
        pass(.milliseconds(15))
        #expect(try late.hasBegun)
        #expect(try early.suffix(3).allSatisfy { try !$0.hasBegun })
    }

    @Test(
        "An address with a hundred times the handshakes of the others comes behind them with all that is above its part"
    )
    func greedyAddress() throws {
        let queues = queues(inFlight: Self.room)
        let early = try (0..<200).map { _ in try connection(queues) }
        pass(.milliseconds(35))
        let alone = try early.count { try $0.hasBegun }
        #expect(alone == 4, "alone it has all turns")
        let others = try (2...13).map { try connection(queues, from: "192.0.2.\($0)") }
        pass(.milliseconds(120))
        let begun = (others: try others.count { try $0.hasBegun }, early: try early.count { try $0.hasBegun })
        #expect(begun == (10, 2), "one turn in four, also of those that came when it was alone")
        let late = try connection(queues, from: "192.0.2.20")
        pass(.milliseconds(25))
        #expect(try late.hasBegun)
    }

    @Test("An address has more than its part by what it has begun within half a second, also when it closes it again")
    func closing() throws {
        let queues = queues(inFlight: Self.room)
        for _ in 0..<9 {
            pass(.milliseconds(11))
            let hasty = try connection(queues)
            #expect(try hasty.hasBegun)
            hasty.gate.settle()
            hasty.channel.close(promise: nil)
        }
        var (hasty, other) = (try connection(queues), try connection(queues, from: "192.0.2.2"))
        pass(.milliseconds(11))
        #expect(try !hasty.hasBegun && other.hasBegun)
        pass(.milliseconds(600))
        (hasty, other) = (try connection(queues), try connection(queues, from: "192.0.2.3"))
        pass(.milliseconds(5))
        #expect(try hasty.hasBegun && !other.hasBegun, "what it did is forgotten")
    }

    @Test("An address with more than its part leaves a part of the room, and has all turns of the least pace")
    func roomOfOthers() throws {
        let (queues, tickets) = fullQueues()
        let first = try connection(queues, from: "192.0.2.2")
        first.gate.settle()
        let many = try (0..<20).map { _ in try connection(queues) }
        pass(.milliseconds(5))
        tickets[0].close()
        pass(.milliseconds(4))
        #expect(try many.allSatisfy { try !$0.hasBegun })
        let other = try connection(queues, from: "192.0.2.3")
        pass(.milliseconds(2))
        #expect(try other.hasBegun)
        other.gate.settle()
        pass(.milliseconds(31))
        let begun = try many.count { try $0.hasBegun }
        #expect(begun == 3, "one in ten milliseconds")
    }

    @Test("The equal part of an address is a whole by the number of addresses, and never less than eight")
    func shares() {
        var shares = HandshakeShares()
        func greedy(_ count: Int, _ source: String) -> [Bool] { (0..<count).map { _ in shares.add(source) } }
        #expect(!greedy(100, "a").contains(true), "alone it has all")
        #expect(greedy(1, "b") == [false] && greedy(1, "a") == [true])
        for _ in 0..<101 { shares.remove("a") }
        for number in 0..<50 { _ = greedy(1, "c\(number)") }
        #expect(greedy(9, "a") == Array(repeating: false, count: 8) + [true])
    }

    @Test("Those that have left do not count as the longest wait: the others still come in order")
    func gone() throws {
        let queues = queues(inFlight: Self.room)
        _ = try connection(queues)
        let early = try (0..<12).map { _ in try connection(queues) }
        pass(.milliseconds(95))
        for connection in early { connection.channel.close(promise: nil) }
        let (first, last) = (try connection(queues), try connection(queues))
        pass(.milliseconds(8))
        #expect(try first.hasBegun && !last.hasBegun)
    }

    @Test("Who has waited for the time of an answer is closed, and counted")
    func late() throws {
        let queues = queues(inFlight: Self.room)
        let count = 2_000
        let connections = try (0..<count).map { _ in try connection(queues) }
        pass(.seconds(6))
        let begun = try connections.count { try $0.hasBegun }
        #expect(begun > 300 && begun < 600, "one in ten milliseconds: \(begun)")
        #expect(stage.shed == Array(repeating: "handshakes deadline", count: count - begun))
        #expect(connections.count { !$0.channel.isActive } == count - begun)
        #expect(stage.depth(of: .handshakes) == 0)
    }

    @Test("A client that closes, or ends its side, leaves the queue and is counted", arguments: [true, false])
    func departure(isHalf: Bool) throws {
        let queues = queues(inFlight: Self.room)
        _ = try connection(queues)
        let gone = try connection(queues)
        if isHalf {
            gone.channel.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
        } else {
            gone.channel.close(promise: nil)
        }
        pass(.milliseconds(20))
        #expect(!gone.channel.isActive)
        #expect(try !gone.hasBegun)
        #expect(stage.shed == ["handshakes abandoned"] && stage.depth(of: .handshakes) == 0)
    }

    @Test(
        "With the head of the first request a connection is no longer expected; only that request is the one it was made for"
    )
    func firstRequest() throws {
        let queues = queues()
        let connection = try connection(queues)
        let origin = ConnectionOrigin(nil)
        let requests = EmbeddedChannel(
            handlers: [
                RequestGate(
                    requestTime: .seconds(60), idleTime: .seconds(60), origin: origin, handshake: connection.gate)
            ], loop: loop)
        for isNew in [true, false] {
            #expect(connection.gate.isExpected == isNew)
            let head = HTTPRequestHead(version: .http1_1, method: .GET, uri: "/", headers: ["Host": "a"])
            try requests.writeInbound(HTTPServerRequestPart.head(head))
            #expect(origin.isNew == isNew && !connection.gate.isExpected)
            try requests.writeInbound(HTTPServerRequestPart.end(nil))
            let answer = HTTPResponseHead(version: .http1_1, status: .ok, headers: ["Content-Length": "0"])
            try requests.writeOutbound(HTTPServerResponsePart.head(answer))
            try requests.writeOutbound(HTTPServerResponsePart.end(nil))
        }
    }

    @Test("A connection that is closed before its first request is no longer expected")
    func noRequest() throws {
        let connection = try connection(queues())
        let requests = EmbeddedChannel(
            handlers: [
                RequestGate(
                    requestTime: .seconds(60), idleTime: .seconds(60), origin: ConnectionOrigin(nil),
                    handshake: connection.gate)
            ], loop: loop)
        requests.connect(to: try SocketAddress(unixDomainSocketPath: "/a"), promise: nil)
        #expect(connection.gate.isExpected)
        requests.close(promise: nil)
        loop.run()
        #expect(!connection.gate.isExpected)
    }

    /// In the place of TLS, whose answer to the first octets fails: what the client has sent besides is read within that, and the
    /// connection is closed.
    private final class FailingAnswer: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        private var hasFailed = false

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            context.fireChannelRead(data)
            guard !hasFailed else { return }
            hasFailed = true
            context.pipeline.fireChannelRead(ByteBuffer(string: "more"))
            context.close(promise: nil)
        }
    }

    @Test(
        "Octets that are read while the handshake begins are no second one: nothing is counted twice",
        arguments: [1, 2])
    func reentrance(place: Int) throws {
        let queues = queues()
        if place == 2 { _ = try connection(queues) }
        let hasty = try Connection(queues.scheduler(of: loop), from: "192.0.2.7", on: loop)
        let requests = RequestGate(
            requestTime: .seconds(60), idleTime: .seconds(60), origin: ConnectionOrigin(nil), handshake: hasty.gate)
        try hasty.channel.pipeline.syncOperations.addHandlers([FailingAnswer(), Ending(requests)])
        try hasty.receive("hello")
        pass(.milliseconds(2))
        #expect(!hasty.channel.isActive && !hasty.gate.isExpected)
        #expect(stage.shed.isEmpty && stage.depth(of: .handshakes) == 0)
        let connections = try (0..<Self.room + 1 - place).map { _ in try connection(queues) }
        pass(.milliseconds(5))
        #expect(try connections.allSatisfy { try $0.hasBegun }, "all the room but the first one's is there")
        pass(.milliseconds(600))
        #expect(hasty.gate.stateInQueue == nil)
    }

    /// Tells the gate of requests that the connection has ended.
    private final class Ending: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        private let gate: RequestGate

        init(_ gate: RequestGate) { self.gate = gate }

        func channelInactive(context: ChannelHandlerContext) { gate.channelInactive(context: context) }
    }

    @Test("The clients of a proxy that says nothing of them are never one address with too much")
    func proxy() throws {
        let scheduler = queues(inFlight: Self.room).scheduler(of: loop)
        func connection(_ address: String, isShared: Bool) throws -> Connection {
            let connection = try Connection(scheduler, from: address, isShared: isShared, on: loop)
            try connection.receive("hello")
            return connection
        }
        _ = try connection("192.0.2.1", isShared: false)
        for number in 2..<5 { _ = try connection("192.0.2.\(number)", isShared: false) }
        let shared = try (0..<20).map { _ in try connection("198.51.100.1", isShared: true) }
        for number in 5..<9 { _ = try connection("192.0.2.\(number)", isShared: false) }
        pass(.milliseconds(290))
        #expect(try shared.allSatisfy { try $0.hasBegun })
    }

    @Test("While a connection waits nothing more is read from it; afterwards it is")
    func unread() throws {
        let queues = queues()
        _ = try connection(queues)
        let (reads, waiting) = (CountedReads(), try connection(queues))
        try waiting.channel.pipeline.syncOperations.addHandler(reads, position: .first)
        waiting.channel.read()
        #expect(reads.count == 0)
        pass(.milliseconds(1))
        #expect(reads.count == 1)
    }
}

extension HandshakeGate {
    /// The handshake has begun lately and the first request has not come.
    fileprivate var isExpected: Bool { stateInQueue == .begun(isExpected: true) }
}

/// Socket below the handlers of a test, which counts how often they want to read, and reads nothing.
final class CountedReads: ChannelOutboundHandler {
    typealias OutboundIn = ByteBuffer

    private(set) var count = 0

    func read(context: ChannelHandlerContext) { count += 1 }
}

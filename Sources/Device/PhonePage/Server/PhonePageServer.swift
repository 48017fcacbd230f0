import Foundation
import Locking
import NIOCore
import NIOHTTP1
import NIOPosix

/// HTTP/1.1 server on 127.0.0.1 that answers one request per connection.
///
/// Limits: heads of 16 KiB, bodies of 1 MiB, 64 connections at a time, 10 s for a request and 10 s for taking the
/// answer; what exceeds the first two is answered or cut off, further connections are closed at once.
struct PhonePageServer {
    typealias Connection = NIOAsyncChannel<HTTPServerRequestPart, HTTPServerResponsePart>

    /// Connections at a time.
    static let connectionLimit = 64
    /// Time for sending a request, and for taking an answer.
    static let patience: TimeAmount = .seconds(10)

    /// Port that was bound.
    let port: Int
    private let listener: NIOAsyncChannel<Connection, Never>

    /// Binds a port of 127.0.0.1, never another address; 0 takes a free one.
    ///
    /// Throws ``PhonePageFailure``.
    static func bind(port: Int) async throws(PhonePageFailure) -> PhonePageServer {
        do {
            let listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .serverChannelOption(.backlog, value: 128)
                // Connections of an earlier page, which the system remembers for a minute, do not keep the port taken.
                .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
                .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
                .bind(host: "127.0.0.1", port: port) { channel in
                    channel.eventLoop.makeCompletedFuture { try connection(on: channel) }
                }
            return PhonePageServer(port: listener.channel.localAddress?.port ?? port, listener: listener)
        } catch let error as IOError {
            throw error.errnoCode == EADDRINUSE ? .portTaken(port) : .unavailable(error.description)
        } catch {
            throw .unavailable(error.localizedDescription)
        }
    }

    /// Answers requests until the task is canceled; `ready` runs beside it, and its failure ends the server.
    func serve(_ routes: PhonePageRoutes, ready: @Sendable () async throws -> Void) async throws {
        try await listener.executeThenClose { connections in
            try await ready()
            try await Self.serve(connections, routes)
        }
    }

    private static func serve(
        _ connections: NIOAsyncChannelInboundStream<Connection>, _ routes: PhonePageRoutes
    ) async throws {
        let open = Lock(0)
        try await withThrowingTaskGroup(of: Void.self) { group in
            var unfinished = 0
            for try await connection in connections {
                let isTaken = takesPlace(in: open)
                group.addTask {
                    guard isTaken else { return await Self.refuse(connection) }
                    await Self.answer(connection, routes)
                    open.withLock { $0 -= 1 }
                }
                unfinished += 1
                // The group keeps what has ended until it is asked. One task more than places ends at once: a refusal.
                guard unfinished > connectionLimit else { continue }
                _ = try await group.next()
                unfinished -= 1
            }
        }
    }

    /// Whether there was a place for one more connection, which is taken now.
    private static func takesPlace(in open: Lock<Int>) -> Bool {
        open.withLock { count in
            guard count < connectionLimit else { return false }
            count += 1
            return true
        }
    }

    private static func connection(on channel: any Channel) throws -> Connection {
        let pipeline = channel.pipeline.syncOperations
        try pipeline.addHandler(PhonePageHeadBound())
        try pipeline.configureHTTPServerPipeline(withErrorHandling: true)
        return try Connection(wrappingChannelSynchronously: channel)
    }

    private static func refuse(_ connection: Connection) async {
        try? await connection.executeThenClose { _, _ in }
    }

    private static func answer(_ connection: Connection, _ routes: PhonePageRoutes) async {
        let channel = connection.channel
        let reading = channel.eventLoop.scheduleTask(in: patience) { channel.close(promise: nil) }
        defer { reading.cancel() }
        do {
            try await connection.executeThenClose { inbound, outbound in
                guard let request = try await PhonePageRequest.read(from: inbound) else { return }
                reading.cancel()
                let reply = await routes.reply(to: request)
                let writing = channel.eventLoop.scheduleTask(in: patience) { channel.close(promise: nil) }
                defer { writing.cancel() }
                try await outbound.write(.head(reply.head))
                try await outbound.write(.body(.byteBuffer(ByteBuffer(bytes: reply.body))))
                try await outbound.write(.end(nil))
            }
        } catch {
            // The browser has closed the connection, or sent what is no HTTP: there is no reader to tell.
        }
    }
}

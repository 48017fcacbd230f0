import Foundation
import HTTPTypes
import HummingbirdCore
import Logging
import NIOCore
import NIOPosix

/// HTTP/1.1 server on an address of loopback that answers one request per connection.
///
/// Limits: heads of 16 KiB, bodies of 1 MiB, 64 connections at a time, 10 s for a request and 10 s for taking the
/// answer; what exceeds the first two is refused and closed, further connections wait until one has ended. Connections
/// that come at the same moment may exceed their number by three, since the system hands over four at a time.
enum PhonePageServer {
    static let connectionLimit = 64
    /// Largest head in octets.
    static let headLimit = 16 << 10
    /// Time for sending a request, and for taking an answer.
    static let patience: TimeAmount = .seconds(10)

    /// Answers requests on a port of the host, never of another address, until the task is canceled; 0 takes a free port.
    ///
    /// `routes` and `ready` get the port that was bound. `ready` runs beside the server, and its failure ends it. Throws
    /// ``PhonePageFailure``.
    static func serve(
        host: PhonePageHost, port: Int, _ routes: @escaping @Sendable (Int) -> PhonePageRoutes,
        ready: @Sendable (Int) async throws -> Void
    ) async throws {
        let (ports, bound) = AsyncStream.makeStream(of: Int.self)
        let server = Server(
            childChannelSetup: HTTP1Channel(responder: responder(routes), configuration: connections),
            configuration: ServerConfiguration(
                address: .hostname(host.address, port: port),
                availableConnectionsDelegate: MaximumAvailableConnections(connectionLimit, logger: silent)),
            onServerRunning: { bound.yield($0.localAddress?.port ?? port) },
            eventLoopGroup: MultiThreadedEventLoopGroup.singleton, logger: silent)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                defer { bound.finish() }
                try await run(server, port: port)
            }
            for await port in ports { try await ready(port) }
            try await group.waitForAll()
        }
    }

    private static let silent = Logger(label: "signet-phone") { _ in SwiftLogNoOpLogHandler() }

    private static var connections: HTTP1Channel.Configuration {
        HTTP1Channel.Configuration(
            idleTimeout: patience,
            httpDecoderConfiguration: .init(maxHeaderFieldSize: headLimit, maxHeaderListSize: headLimit))
    }

    private static func run(_ server: Server<HTTP1Channel>, port: Int) async throws(PhonePageFailure) {
        do {
            try await server.run()
        } catch let error as IOError {
            throw error.errnoCode == EADDRINUSE ? .portTaken(port) : .unavailable(error.description)
        } catch {
            throw .unavailable(error.localizedDescription)
        }
    }

    private static func responder(
        _ routes: @escaping @Sendable (Int) -> PhonePageRoutes
    ) -> HTTP1Channel.Responder {
        { request, writer, channel in
            let reading = channel.eventLoop.scheduleTask(in: patience) { channel.close(promise: nil) }
            let body = try await body(of: request)
            // What is too large is read on and dropped, so that the browser gets the answer, until the time is over.
            if body != nil { reading.cancel() }
            let reply = await routes(channel.localAddress?.port ?? 0).reply(to: PhonePageRequest(request.head, body))
            try await writer.write(
                response: reply.head, body: ResponseBody(byteBuffer: ByteBuffer(bytes: reply.body)))
            if body != nil { channel.close(mode: .input, promise: nil) }
        }
    }

    private static func body(of request: Request) async throws -> [UInt8]? {
        do {
            return Array(buffer: try await request.body.collect(upTo: PhonePageRequest.bodyLimit))
        } catch is NIOTooManyBytesError {
            return nil
        }
    }
}

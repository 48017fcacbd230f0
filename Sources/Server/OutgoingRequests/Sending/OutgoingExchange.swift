import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import Octets
import OpenID
import ServerCore

/// One request and its answer, on a separate connection to an address that was judged.
struct OutgoingExchange: Sendable {
    /// Answer of the other system.
    struct Answer: Sendable, Hashable {
        let status: Int
        let body: [UInt8]
    }

    /// Octets of a handshake and a head beside the body of an answer.
    private static let headLimit = 65_536

    let destination: OutgoingDestination
    let head: HTTPRequestHead
    let content: [UInt8]
    let tls: NIOSSLContext
    let wanted: AnswerReader.Wanted
    /// Longest body of the answer in octets that is read, asked for or not.
    let limit: Int
    let deadline: NIODeadline

    /// Answer from the first of the addresses that takes the connection.
    ///
    /// Once there is a connection no other address is tried, since the request may have arrived.
    func answer(from addresses: [IPAddress]) async throws(OutgoingFailure) -> Answer {
        var failure = OutgoingFailure.unresolvable
        for address in addresses {
            let loop = MultiThreadedEventLoopGroup.singleton.any()
            let promise = loop.makePromise(of: Answer.self)
            let channel: any Channel
            do throws(OutgoingFailure) {
                channel = try await connect(to: address, on: loop, promise)
            } catch {
                promise.fail(error)
                failure = error
                continue
            }
            return try await answer(on: channel, promise)
        }
        throw failure
    }

    private func connect(
        to address: IPAddress, on loop: any EventLoop, _ promise: EventLoopPromise<Answer>
    ) async throws(OutgoingFailure) -> any Channel {
        let time = deadline - .now()
        guard time > .nanoseconds(0) else { throw .timedOut }
        do {
            return try await ClientBootstrap(group: loop)
                .connectTimeout(time)
                .channelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        try addHandlers(to: channel.pipeline.syncOperations, promise)
                    }
                }
                .connect(to: SocketAddress(ipAddress: address.description, port: destination.port)).get()
        } catch {
            throw OutgoingFailure(reporting: error)
        }
    }

    /// The certificate has to name the host of the address, whatever the connection goes to.
    private func addHandlers(
        to pipeline: ChannelPipeline.SynchronousOperations, _ promise: EventLoopPromise<Answer>
    ) throws {
        let name = IPAddress(destination.host) == nil ? destination.host : nil
        try pipeline.addHandler(AnswerReaderByteLimit(limit + Self.headLimit))
        try pipeline.addHandler(NIOSSLClientHandler(context: tls, serverHostname: name))
        try pipeline.addHTTPClientHandlers()
        try pipeline.addHandler(AnswerReader(head, content: content, wanted: wanted, promise: promise))
    }

    private func answer(
        on channel: any Channel, _ promise: EventLoopPromise<Answer>
    ) async throws(OutgoingFailure) -> Answer {
        let timer = channel.eventLoop.scheduleTask(deadline: deadline) { promise.fail(OutgoingFailure.timedOut) }
        defer { timer.cancel() }
        do {
            return try await withTaskCancellationHandler {
                try await promise.futureResult.get()
            } onCancel: {
                promise.fail(OutgoingFailure.timedOut)
            }
        } catch {
            channel.close(promise: nil)
            throw OutgoingFailure(reporting: error)
        }
    }
}

import NIOCore
import NIOPosix
import NIOSSL

/// A TLS server on loopback that takes every connection and never comes to the end of an answer.
struct SilentServer {
    /// How far it comes.
    enum Behaviour: String, CaseIterable, Sendable {
        /// It says nothing after the handshake.
        case silent
        /// It begins a header field.
        case halfHeader
        /// It sends one byte of a body after the other, each long before a time limit ends.
        case trickling
    }

    private let channel: any Channel

    /// The port it listens at.
    var port: Int { channel.localAddress?.port ?? 0 }

    init(_ behaviour: Behaviour, _ tls: TLSConfiguration) async throws {
        let context = try NIOSSLContext(configuration: tls)
        channel = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandlers(
                        NIOSSLServerHandler(context: context), Answer(behaviour: behaviour))
                }
            }.bind(host: "127.0.0.1", port: 0).get()
    }

    func stop() async throws {
        try await channel.close()
    }

    private final class Answer: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        typealias OutboundOut = ByteBuffer

        private let behaviour: Behaviour
        private var hasBegun = false

        init(behaviour: Behaviour) {
            self.behaviour = behaviour
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            guard !hasBegun else { return }
            hasBegun = true
            switch behaviour {
            case .silent: break
            case .halfHeader: say("HTTP/1.1 200 OK\r\nContent-Le", to: context)
            case .trickling:
                say("HTTP/1.1 200 OK\r\nContent-Length: 60000\r\n\r\n", to: context)
                let bound = NIOLoopBound(self, eventLoop: context.eventLoop)
                let place = NIOLoopBound(context, eventLoop: context.eventLoop)
                context.eventLoop.scheduleRepeatedTask(initialDelay: .zero, delay: .milliseconds(20)) { task in
                    guard place.value.channel.isActive else { return task.cancel() }
                    bound.value.say("a", to: place.value)
                }
            }
        }

        private func say(_ text: String, to context: ChannelHandlerContext) {
            context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: text)), promise: nil)
        }
    }
}

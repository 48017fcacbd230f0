import NIOCore
import NIOPosix
import NIOSSL
import Octets
import OpenID
import ServerCore
import Synchronization

/// Way to a syslog server over TLS (RFC 5425), with a connection of its own for each parcel.
///
/// Syslog has no acknowledgements. A parcel counts as taken when the server ends the connection in order after our
/// `close_notify`: it has read up to that then (RFC 5425, 4.4). A server that is stopped before resets the connection.
struct SyslogConnection: Sendable {
    private static let connectTime: TimeAmount = .seconds(10)
    private static let parcelTime: TimeAmount = .seconds(60)

    private let settings: SyslogSettings
    private let tls: NIOSSLContext

    /// Throws ``OutgoingRequestsError/unusableAuthority(file:)``.
    init(_ settings: SyslogSettings) throws(OutgoingRequestsError) {
        self.settings = settings
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.minimumTLSVersion = .tlsv12
        configuration.certificateVerification = .fullVerification
        var file = settings.authorityFile
        do {
            configuration.trustRoots = .certificates(try NIOSSLCertificate.fromPEMFile(file))
            if let client = settings.client {
                file = client.certificateFile
                configuration.certificateChain = try NIOSSLCertificate.fromPEMFile(file).map { .certificate($0) }
                file = client.privateKeyFile
                configuration.privateKey = .privateKey(try NIOSSLPrivateKey(file: file, format: .pem))
            }
            tls = try NIOSSLContext(configuration: configuration)
        } catch {
            throw .unusableAuthority(file: file)
        }
    }

    var name: String { "\(settings.host):\(settings.port)" }

    func send(_ octets: [UInt8]) async throws(OutgoingFailure) {
        let failure = FirstFailure()
        do {
            let channel = try await connect(failure)
            let deadline = channel.eventLoop.scheduleTask(in: Self.parcelTime) { channel.close(promise: nil) }
            defer { deadline.cancel() }
            do {
                try await channel.writeAndFlush(ByteBuffer(bytes: octets))
                try await channel.close()
            } catch NIOSSLError.uncleanShutdown where failure.error == nil {
                // The end without a `close_notify` of its own, as many servers have it; a reset is an error before that.
            }
        } catch {
            throw OutgoingFailure(reporting: failure.error ?? error)
        }
    }

    private func connect(_ failure: FirstFailure) async throws -> any Channel {
        let (tls, name) = (tls, IPAddress(settings.host) == nil ? settings.host : nil)
        return try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .connectTimeout(Self.connectTime)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandlers(
                        NIOSSLClientHandler(context: tls, serverHostname: name), FailureHandler(failure))
                }
            }
            .connect(host: settings.host, port: settings.port).get()
    }
}

/// First failure of a connection but an end without `close_notify`.
private final class FirstFailure: Sendable {
    private let kept = Mutex<(any Error)?>(nil)

    var error: (any Error)? { kept.withLock { $0 } }

    func note(_ error: any Error) { kept.withLock { $0 = $0 ?? error } }
}

private final class FailureHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let failure: FirstFailure

    init(_ failure: FirstFailure) { self.failure = failure }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        if case NIOSSLError.uncleanShutdown = error {} else { failure.note(error) }
        context.fireErrorCaught(error)
    }
}

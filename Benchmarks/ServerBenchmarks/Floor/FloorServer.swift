import Crypto
import Foundation
import HTTPEngine
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import ServerHTTP

/// Lower bound of a sign-in's cost on this transport: TLS, HTTP and signatures, without messages, rules and database.
///
/// It runs as a process of its own, as the server does, with the same library, the same TLS settings and as many event
/// loops. It has the throughput of a server in which everything else is free.
struct FloorServer {
    /// Argument that makes the benchmark's program this server; the folder with chain and key follows.
    static let argument = "floor-server"

    /// Serves until the process is ended, after the port has been written to standard output.
    static func run(certificates: String) async throws {
        let chain = try String(contentsOfFile: certificates + "/server.pem", encoding: .utf8)
        let privateKey = try String(contentsOfFile: certificates + "/server.key", encoding: .utf8)
        let identity = ServerIdentity(chainPEM: chain, privateKeyPEM: privateKey)
        let tls = try NIOSSLContext(configuration: identity.tlsConfiguration())
        let key = P256.Signing.PrivateKey()
        let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.backlog, value: 256)
            .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let pipeline = channel.pipeline.syncOperations
                    try pipeline.addHandler(NIOSSLServerHandler(context: tls))
                    try pipeline.configureHTTPServerPipeline(withErrorHandling: false)
                    try pipeline.addHandler(NIOHTTPServerRequestAggregator(maxContentLength: 64 << 10))
                    try pipeline.addHandler(try FloorHandler(key))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        FileHandle.standardOutput.write(Data("\(channel.localAddress?.port ?? 0)\n".utf8))
        try await channel.closeFuture.get()
    }
}

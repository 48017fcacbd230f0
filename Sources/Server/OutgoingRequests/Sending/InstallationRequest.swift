import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import Octets
package import OpenID
import ServerCore

/// GET to a server of this installation: by TLS with a certificate that the caller judges, or in plain text.
///
/// It is for addresses that the operator has configured, and knows no forbidden networks.
package struct InstallationRequest: Sendable {
    /// Place where the server listens.
    package enum Place: Sendable, Hashable {
        case tls(host: String, port: Int)
        case plain(host: String, port: Int)
        case socket(path: String)
    }

    package struct Answer: Sendable, Hashable {
        package let status: Int
        package let body: [UInt8]
    }

    /// Octets of an answer that are read.
    private static let limit = 1 << 20

    private let place: Place
    private let path: String
    private let fields: HTTPHeaders
    private let deadline: NIODeadline

    /// Request for `path`, with a bearer token where there is one; the whole of it may take `timeout`.
    package init(to place: Place, path: String, token: String? = nil, timeout: Duration = .seconds(10)) {
        self.place = place
        self.path = path
        var fields: HTTPHeaders = ["Host": place.authority, "User-Agent": "signet-server", "Connection": "close"]
        if let token { fields.add(name: "Authorization", value: "Bearer " + token) }
        self.fields = fields
        deadline = .now() + .milliseconds(timeout.wholeMilliseconds)
    }

    /// Answer of the server; `isTrusted` judges its certificate, in DER, before anything is sent.
    package func answer(
        trusting isTrusted: @escaping @Sendable ([UInt8]) -> Bool = { _ in false }
    ) async throws(OutgoingFailure) -> Answer {
        let loop = MultiThreadedEventLoopGroup.singleton.any()
        let promise = loop.makePromise(of: OutgoingExchange.Answer.self)
        let timer = loop.scheduleTask(deadline: deadline) { promise.fail(OutgoingFailure.timedOut) }
        defer { timer.cancel() }
        do {
            let channel = try await connect(on: loop, promise, isTrusted)
            defer { channel.close(promise: nil) }
            let answer = try await promise.futureResult.get()
            return Answer(status: answer.status, body: answer.body)
        } catch {
            promise.fail(error)
            throw OutgoingFailure(reporting: error)
        }
    }

    private func connect(
        on loop: any EventLoop, _ promise: EventLoopPromise<OutgoingExchange.Answer>,
        _ isTrusted: @escaping @Sendable ([UInt8]) -> Bool
    ) async throws -> any Channel {
        let bootstrap = ClientBootstrap(group: loop).connectTimeout(deadline - .now()).channelInitializer { channel in
            channel.eventLoop.makeCompletedFuture {
                let pipeline = channel.pipeline.syncOperations
                try pipeline.addHandler(AnswerReaderByteLimit(2 * Self.limit))
                if case .tls(let host, _) = place { try pipeline.addHandler(Self.tls(to: host, isTrusted)) }
                try pipeline.addHTTPClientHandlers()
                let head = HTTPRequestHead(version: .http1_1, method: .GET, uri: path, headers: fields)
                try pipeline.addHandler(
                    AnswerReader(head, content: [], wanted: .body(limit: Self.limit), promise: promise))
            }
        }
        switch place {
        case .tls(let host, let port), .plain(let host, let port):
            return try await bootstrap.connect(host: host, port: port).get()
        case .socket(let path): return try await bootstrap.connect(unixDomainSocketPath: path).get()
        }
    }

    private static func tls(
        to host: String, _ isTrusted: @escaping @Sendable ([UInt8]) -> Bool
    ) throws -> NIOSSLClientHandler {
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.minimumTLSVersion = .tlsv12
        configuration.applicationProtocols = ["http/1.1"]
        // The certificate is judged by the caller; otherwise its names would be compared with the address as well.
        configuration.certificateVerification = .noHostnameVerification
        let name = IPAddress(host) == nil ? host : nil
        return try NIOSSLClientHandler(
            context: NIOSSLContext(configuration: configuration), serverHostname: name
        ) { certificates, verdict in
            let certificate = try? certificates.first?.toDERBytes()
            verdict.succeed(certificate.map(isTrusted) == true ? .certificateVerified : .failed)
        }
    }
}

extension InstallationRequest.Place {
    fileprivate var authority: String {
        switch self {
        case .tls(let host, let port), .plain(let host, let port):
            host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
        case .socket: "localhost"
        }
    }
}

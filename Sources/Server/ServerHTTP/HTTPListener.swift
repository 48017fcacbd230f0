package import HTTPEngine
package import Hummingbird
import HummingbirdCore
package import LoadControl
package import Logging
import NIOCore
package import ServerCore

/// One listening socket with its routes.
package struct HTTPListener: Sendable {
    /// Called with the port once the socket listens; 0 for a Unix socket.
    package typealias Started = @Sendable (_ port: Int) async -> Void

    /// Connections that are accepted before others are read.
    private static let acceptedAtOnce: UInt = 128

    /// Place where a socket listens.
    private enum Place {
        case address(ListenerAddress)
        case unixSocket(path: String)

        var isOnThisMachine: Bool {
            switch self {
            case .address(let address): address.isLoopback
            case .unixSocket: true
            }
        }

        var binding: BindAddress {
            switch self {
            case .address(let address): .hostname(address.host, port: address.port)
            case .unixSocket(let path): .unixDomainSocket(path: path)
            }
        }
    }

    private let place: Place
    private let limits: RequestLimits
    private let proxies: ProxySettings
    private let load: LoadController
    private let logger: Logger

    package init(
        address: ListenerAddress, limits: RequestLimits, proxies: ProxySettings = ProxySettings(),
        load: LoadController = LoadController(), logger: Logger
    ) {
        place = .address(address)
        self.limits = limits
        self.proxies = proxies
        self.load = load
        self.logger = logger
    }

    /// Describes a listener on a Unix socket, which is made at a path and replaces an existing one.
    package init(unixSocket path: String, limits: RequestLimits, logger: Logger) {
        place = .unixSocket(path: path)
        self.limits = limits
        proxies = ProxySettings()
        load = LoadController()
        self.logger = logger
    }

    /// The application that answers on the listener; with an identity it speaks TLS.
    ///
    /// Throws ``ServerHTTPError/plainListenerOutsideLoopback`` when it would be reachable without TLS from outside.
    package func application<Responder: HTTPResponder>(
        responder: Responder, identity: ServingIdentity?, started: @escaping Started
    ) throws(ServerHTTPError) -> Application<Responder> where Responder.Context == BackendRequestContext {
        guard identity != nil || place.isOnThisMachine else { throw .plainListenerOutsideLoopback }
        let connections = OpenConnections(limit: limits.connectionCount)
        let acceptedAtOnce = min(Self.acceptedAtOnce, UInt(max(1, limits.connectionCount)))
        return Application(
            responder: responder, server: server(identity, service(by: responder), connections),
            configuration: ApplicationConfiguration(
                address: place.binding, serverName: nil, backlog: 1_024,
                availableConnectionsDelegate: MaximumAvailableConnections(limits.connectionCount, logger: logger)),
            services: [connections],
            onServerRunning: { channel in
                // Without it connections wait in the backlog of the kernel, which does not choose among them.
                try? await channel.setOption(.maxMessagesPerRead, value: acceptedAtOnce).get()
                await started(channel.localAddress?.port ?? 0)
            }, logger: logger)
    }

    /// Runs an application, and accepts its connections, on one of its event loops.
    ///
    /// Of the tasks that Hummingbird has for each connection that is accepted none wakes another thread then.
    package static func run(_ application: some ApplicationProtocol) async throws {
        try await withTaskExecutorPreference(EventLoopExecutor(application.eventLoopGroup.any())) {
            try await application.run()
        }
    }

    /// Answers requests by the routes, without what Hummingbird puts around them.
    private func service(by responder: some HTTPResponder<BackendRequestContext>) -> RequestService {
        let (logger, date) = (logger, DateField())
        let deciding = responder as? ServiceResponder
        let respond: @Sendable (Request, any Channel) async -> Response = { request, channel in
            let source = ApplicationRequestContextSource(channel: channel, logger: logger)
            var response: Response
            do {
                response = try await responder.respond(to: request, context: BackendRequestContext(source: source))
            } catch {
                logger.error("unexpected error", metadata: ["error": "\(type(of: error))"])
                response = Response(status: .internalServerError)
            }
            response.headers[.date] = date.text
            return response
        }
        return RequestService(
            refuse: { request, connection, channel in
                deciding?.refuse(request, on: connection, date: date) {
                    let source = ApplicationRequestContextSource(channel: channel, logger: logger)
                    return BackendRequestContext(source: source, origin: connection)
                }
            }, respond: respond)
    }

    private func server(
        _ identity: ServingIdentity?, _ service: RequestService, _ connections: OpenConnections
    ) -> HTTPServerBuilder {
        let channel = ServiceChannel(
            service: service, identity: identity,
            proxies: FrontProxies(proxies.trusted, sendHeader: proxies.preamble == .v2),
            limits: limits.ofConnections, load: load, connections: connections)
        return HTTPServerBuilder { _ in channel }
    }
}

extension RequestLimits {
    fileprivate var ofConnections: ConnectionLimits {
        ConnectionLimits(
            bodyByteCount: bodyByteCount, headerByteCount: headerByteCount, requestTime: bodyTime, idleTime: idleTime,
            countPerAddress: effectiveConnectionCountPerAddress)
    }
}

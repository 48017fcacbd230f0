package import HTTPEngine
package import Hummingbird
package import Logging
package import ServerCore
package import ServerHTTP
import Synchronization

/// A local stand-in for the push service that speaks its protocol: for development and tests.
///
/// It verifies the server's assertions with the public key of the account that it has made, takes messages as the
/// real service does, and hands them to phones that wait. It has no login for phones: it is for programs on this
/// machine only.
package struct PushSink: Sendable {
    private let account: SinkAccount
    private let clock: any WallClock
    private let logger: Logger
    private let state: SinkState
    private let origin = Origin()

    /// Limits on requests; phones wait up to a minute for a message.
    package static let limits: RequestLimits = {
        var limits = RequestLimits()
        limits.idleTime = .seconds(180)
        return limits
    }()

    package init(account: SinkAccount, clock: any WallClock, random: any RandomSource, logger: Logger) {
        self.account = account
        self.clock = clock
        self.logger = logger
        state = SinkState(projectID: account.projectID, clock: clock, random: random)
    }

    /// The application that listens on a loopback address with a certificate.
    ///
    /// `started` is called with the origin once it listens; assertions are taken after it has returned. Throws
    /// ``PushSinkError/outsideLoopback``, ``PushSinkError/unusableCertificate`` or ``PushSinkError/noKey``.
    package func application(
        address: ListenerAddress, identity: ServerIdentity, limits: RequestLimits = Self.limits,
        started: @escaping @Sendable (String) async -> Void
    ) throws(PushSinkError) -> Application<RouterResponder<BackendRequestContext>> {
        guard address.isLoopback else { throw .outsideLoopback }
        let (origin, router) = (origin, try router())
        do {
            return try HTTPListener(address: address, limits: limits, logger: logger).application(
                responder: router.buildResponder(), identity: try ServingIdentity(identity),
                started: { port in
                    let name = "https://" + ListenerAddress(host: address.host, port: port).authority
                    origin.set(name)
                    await started(name)
                })
        } catch {
            throw .unusableCertificate
        }
    }

    /// The routes alone, as they answer at `origin`, for a caller that has its own listener.
    ///
    /// Throws ``PushSinkError/noKey``.
    package func router(at origin: String) throws(PushSinkError) -> Router<BackendRequestContext> {
        self.origin.set(origin)
        return try router()
    }

    private func router() throws(PushSinkError) -> Router<BackendRequestContext> {
        let (key, issuer, origin) = (try account.verifyingKey(), account.clientEmail, origin)
        let router = Router(context: BackendRequestContext.self)
        router.add(middleware: FramingRule())
        TokenRoutes(
            state: state,
            check: { origin.text.map { AssertionCheck(key: key, issuer: issuer, audience: $0 + TokenRoutes.path) } },
            clock: clock, logger: logger
        ).add(to: router)
        MessageRoutes(state: state, projectID: account.projectID, logger: logger).add(to: router)
        SinkDeviceRoutes(state: state).add(to: router)
        ControlRoutes(state: state).add(to: router)
        return router
    }

    /// Origin at which the sink listens, known once it does.
    private final class Origin: Sendable {
        private let value = Mutex<String?>(nil)

        var text: String? { value.withLock { $0 } }

        func set(_ text: String) { value.withLock { $0 = text } }
    }
}

/// Failure to set up the push sink.
@nonexhaustive
package enum PushSinkError: Error, Hashable, Sendable {
    /// The file is no service account that a push sink has made: name another file, or remove it.
    case foreignServiceAccount
    case noKey
    /// The sink is for programs on this machine only.
    case outsideLoopback
    case unusableCertificate
}

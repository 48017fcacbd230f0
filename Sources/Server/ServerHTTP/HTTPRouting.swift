package import LoadControl
package import ServerCore
package import UAFService

/// Makes the responders of the two listeners.
package struct HTTPRouting: Sendable {
    private let limits: RequestLimits
    private let proxies: ProxySettings
    private let metrics: MetricsRegistry
    private let load: LoadController
    private let now: @Sendable () -> Int64
    private let elapsed: @Sendable () -> Duration

    /// Takes what all routes share; `load` admits requests of services, `now` gives milliseconds since 1970, `elapsed` the
    /// time by which limits refill.
    package init(
        limits: RequestLimits, proxies: ProxySettings = ProxySettings(), metrics: MetricsRegistry,
        load: LoadController = LoadController(),
        now: @escaping @Sendable () -> Int64,
        elapsed: @escaping @Sendable () -> Duration = TokenBuckets.sinceStart
    ) {
        self.limits = limits
        self.proxies = proxies
        self.metrics = metrics
        self.load = load
        self.now = now
        self.elapsed = elapsed
    }

    /// The responder of the management listener; `door` says who may read what.
    package func managementResponder(
        health: ServerHealth, door: ManagementDoor = ManagementDoor()
    ) -> ServiceResponder {
        responder { ManagementRoutes(health: health, metrics: metrics, door: door).add(to: $0) }
    }

    /// The responder of the service listener.
    ///
    /// `publicOrigin` is the origin under which clients reach it, such as `https://login.example.com`; nil takes the
    /// host that each request names. `sites` are the services for web sites, none by default.
    package func serviceResponder(
        services: ServerServices, sites: ConfiguredServices = ConfiguredServices(), clock: any WallClock,
        publicOrigin: String?
    ) -> ServiceResponder {
        let signals = services.signals
        let addresses = TokenBuckets(
            limit: limits.perAddress, sharedAs: .addressRequests, signals, elapsed: elapsed)
        let authenticator = RequestAuthenticator(
            service: services.authorization, cookieName: services.settings.sessions.cookieName,
            origins: OriginRule(publicOrigin: publicOrigin), signals: signals, elapsed: elapsed)
        let shared = RouteServices(
            services: services, authenticator: authenticator,
            userBuckets: TokenBuckets(limit: limits.perUser, sharedAs: .userRequests, signals, elapsed: elapsed),
            clock: clock, operations: OperationMetrics(metrics), addressBuckets: addresses)
        let refusals: AccessLog.CountRefusal = { services.countRefusedRequest($0, from: $1) }
        return responder(limitedBy: addresses, countRefusal: refusals) { routes in
            UAFRoutes(shared: shared).add(to: routes)
            AttestationRoutes(shared: shared).add(to: routes)
            LoginRoutes(shared: shared).add(to: routes)
            OutOfBandRoutes(shared: shared).add(to: routes)
            DispatchTargetRoutes(shared: shared).add(to: routes)
            DeviceRoutes(shared: shared).add(to: routes)
            ConformanceRoutes(shared: shared).add(to: routes)
            OpenIDRoutes(shared: shared, sites: sites).add(to: routes)
            BackchannelRoutes(shared: shared, sites: sites).add(to: routes)
            RelyingPartyRoutes(shared: shared, sites: sites).add(to: routes)
            PageRoutes(shared: shared, sites: sites).add(to: routes)
            DocumentRoutes().add(to: routes)
        }
    }

    /// A responder with the routes that `add` adds; requests are limited by `buckets`, and logged, measured and refused for
    /// overload only where refused ones are counted.
    func responder(
        limitedBy buckets: TokenBuckets? = nil, countRefusal: AccessLog.CountRefusal? = nil,
        adding add: (RouteBuilder) -> Void
    ) -> ServiceResponder {
        let admission = countRefusal.map { _ in RequestAdmission(load: load) }
        let builder = RouteBuilder(limits: limits, admission: admission)
        add(builder)
        return ServiceResponder(
            routes: builder.table, errors: ErrorResponse(now: now),
            log: countRefusal.map { AccessLog(proxies: proxies, metrics: metrics, countRefusal: $0) }, buckets: buckets,
            admission: admission)
    }
}

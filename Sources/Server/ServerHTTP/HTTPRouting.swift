package import Hummingbird
package import LoadControl
package import ServerCore

/// Makes the routers of the two listeners.
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

    /// The router of the management listener.
    package func managementRouter(health: ServerHealth) -> Router<BackendRequestContext> {
        let routes = builder()
        ManagementRoutes(health: health, metrics: metrics).add(to: routes)
        return routes.router
    }

    /// The router of the service listener.
    ///
    /// `publicOrigin` is the origin under which clients reach it, such as `https://login.example.com`; nil takes the
    /// host that each request names. `sites` are the services for web sites, none by default.
    package func serviceRouter(
        services: ServerServices, sites: WebSiteServices = WebSiteServices(), clock: any WallClock,
        publicOrigin: String?
    ) -> Router<BackendRequestContext> {
        let signals = services.signals
        let addresses = TokenBuckets(
            limit: limits.perAddress, sharedAs: .addressRequests, signals, elapsed: elapsed)
        let routes = builder(limitedBy: addresses) { reason, network in
            services.countRefusedRequest(reason, from: network)
        }
        let authenticator = RequestAuthenticator(
            service: services.authorization, cookieName: services.settings.sessions.cookieName,
            origins: OriginRule(publicOrigin: publicOrigin), signals: signals, elapsed: elapsed)
        let shared = RouteServices(
            services: services, authenticator: authenticator,
            userBuckets: TokenBuckets(limit: limits.perUser, sharedAs: .userRequests, signals, elapsed: elapsed),
            clock: clock, operations: OperationMetrics(metrics))
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
        return routes.router
    }

    /// A router with the middleware that every request passes; requests are limited by `buckets`, and logged, measured and
    /// refused for overload only where refused ones are counted.
    func builder(
        limitedBy buckets: TokenBuckets? = nil, countRefusal: AccessLogMiddleware.CountRefusal? = nil
    ) -> RouteBuilder {
        let router = Router(context: BackendRequestContext.self)
        let index = RouteIndex()
        router.add(middleware: TraceContextMiddleware())
        if let countRefusal {
            router.add(
                middleware: AccessLogMiddleware(proxies: proxies, metrics: metrics, countRefusal: countRefusal))
        }
        router.add(middleware: ErrorMiddleware(routes: index, errors: ErrorResponse(now: now)))
        if let buckets { router.add(middleware: RateLimitMiddleware(buckets: buckets)) }
        let admission = countRefusal.map { _ in RequestAdmission(load: load) }
        return RouteBuilder(router: router, index: index, limits: limits, admission: admission)
    }
}

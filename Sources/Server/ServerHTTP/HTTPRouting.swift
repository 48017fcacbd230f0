package import LoadControl
package import ServerAdministration
package import ServerCore
package import UAFService

/// Makes the responders of the two listeners.
package struct HTTPRouting: Sendable {
    private var limits: RequestLimits
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

    /// The responder of a listener of the administration API; `door` says who sends requests there, and `console` is there, too.
    ///
    /// Bodies may be as long as an import needs them. Requests over the network are logged, and limited by key and address;
    /// none is refused for overload: an operator may have to end it.
    package func administrationResponder(
        _ service: AdministrationService, door: AdministrationDoor, console: ServedConsole? = nil
    ) -> ServiceResponder {
        let shared = shared(
            service.services, origins: OriginRule(publicOrigin: nil), clock: service.services.ports.clock)
        var routing = self
        routing.limits = limits.ofAdministration
        let routes = { (routes: RouteBuilder) in
            AdministrationRoutes(service: service, shared: shared, door: door).add(to: routes)
            if let console { ConsoleRoutes(console, shared: shared).add(to: routes) }
        }
        guard case .accessKeys = door else { return routing.responder(adding: routes) }
        return routing.responder(
            refusing: console.map { RefusedPages($0.pages) }, limitedBy: shared.addressBuckets,
            countRefusal: { service.services.countRefusedRequest($0, from: $1) },
            adding: routes)
    }

    private func shared(_ services: ServerServices, origins: OriginRule, clock: any WallClock) -> RouteServices {
        let signals = services.signals
        let authenticator = RequestAuthenticator(
            service: services.authorization, cookieName: services.settings.sessions.cookieName, origins: origins,
            signals: signals, elapsed: elapsed)
        return RouteServices(
            services: services, authenticator: authenticator,
            userBuckets: TokenBuckets(limit: limits.perUser, sharedAs: .userRequests, signals, elapsed: elapsed),
            clock: clock, operations: OperationMetrics(metrics),
            addressBuckets: TokenBuckets(
                limit: limits.perAddress, sharedAs: .addressRequests, signals, elapsed: elapsed))
    }

    /// The responder of the service listener.
    ///
    /// `publicOrigin` is the origin under which clients reach it, such as `https://login.example.com`; nil takes the
    /// host that each request names. `sites` are the services for web sites, none by default.
    package func serviceResponder(
        services: ServerServices, sites: ConfiguredServices = ConfiguredServices(), clock: any WallClock,
        publicOrigin: String?
    ) -> ServiceResponder {
        let shared = shared(services, origins: OriginRule(publicOrigin: publicOrigin), clock: clock)
        let refusals: AccessLog.CountRefusal = { services.countRefusedRequest($0, from: $1) }
        return responder(
            refusing: (sites.front ?? sites.pages).map { RefusedPages($0) }, limitedBy: shared.addressBuckets,
            countRefusal: refusals, admission: RequestAdmission(load: load)
        ) { routes in
            UAFRoutes(shared: shared).add(to: routes)
            ApplicationRoutes(shared: shared).add(to: routes)
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

    /// A responder with the routes that `add` adds; requests are limited by `buckets`, logged and measured only where
    /// refused ones are counted, and refused for overload only by an `admission`.
    ///
    /// Browsers get refusals as `pages`.
    func responder(
        refusing pages: RefusedPages? = nil, limitedBy buckets: TokenBuckets? = nil,
        countRefusal: AccessLog.CountRefusal? = nil,
        admission: RequestAdmission? = nil, adding add: (RouteBuilder) -> Void
    ) -> ServiceResponder {
        let builder = RouteBuilder(limits: limits, admission: admission)
        add(builder)
        return ServiceResponder(
            routes: builder.table, errors: ErrorResponse(now: now), pages: pages,
            log: countRefusal.map { AccessLog(proxies: proxies, metrics: metrics, countRefusal: $0) }, buckets: buckets,
            admission: admission)
    }
}

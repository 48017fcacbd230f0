import BackendAPI
import Hummingbird
import Logging
import PushSink
import ServerCore
import ServerHTTP
import TestSupport
import UAF
import UAFService

extension FuzzedPipeline {
    /// All pipelines that are reachable by strangers.
    package static let all = [
        FuzzedPipeline("pipeline-service", seeds: PipelineSeeds.service + PipelineSeeds.framing("/nevisfido/status")) {
            try await service($0)
        },
        FuzzedPipeline(
            "pipeline-management", seeds: PipelineSeeds.management + PipelineSeeds.framing("/nevisfido/health")
        ) { try management($0) },
        FuzzedPipeline(
            "pipeline-push-sink", seeds: PipelineSeeds.pushSink + PipelineSeeds.framing("/sink/devices")
        ) { try pushSink($0) },
    ]

    private static let password = "correct horse battery staple"
    private static let logger = Logger(label: "pipeline") { _ in SwiftLogNoOpLogHandler() }

    /// Default limits, except rate limits and deadlines, because a deadline could hide that a connection is never
    /// answered.
    private static var limits: RequestLimits {
        var limits = RequestLimits()
        limits.idleTime = .seconds(600)
        limits.bodyTime = .seconds(600)
        limits.perAddress = RateLimit(perSecond: 1_000_000, burst: 1_000_000)
        limits.perUser = limits.perAddress
        return limits
    }

    private static func stage(
        _ responder: some HTTPResponder<BackendRequestContext>, _ started: @escaping Started
    ) throws -> Stage {
        let listener = HTTPListener(
            address: ListenerAddress(host: "127.0.0.1", port: 0), limits: limits, logger: logger)
        return Stage(
            application: try listener.application(responder: responder, identity: nil, started: started))
    }

    /// Application with all services, including the conformance tool's, with a user, a portal and a session.
    private static func service(_ started: @escaping Started) async throws -> Stage {
        let server = try await TestServer(authenticators: [try SyntheticAuthenticator()]) { settings in
            settings.passwordLogin = PasswordLoginSettings()
            settings.passwordLogin?.cost = .cheapest
            settings.conformance = true
            settings.outOfBand.statusWait = .zero
            if let name = AccessKeyName("portal"), var key = AccessKey(name: name, key: accessKey) {
                key.rights.scopes = Set(AccessKeyScope.allCases)
                settings.outOfBand.accessKeys = [key]
            }
        }
        try await server.services.users.add(name: "anna", externalID: "ext-anna", password: password)
        let login = try await server.services.passwordLogin?.logIn(
            name: "anna", password: password, client: ClientContext())
        let routing = HTTPRouting(
            limits: limits, metrics: MetricsRegistry(), now: { server.clock.now().milliseconds })
        var stage = try stage(
            routing.serviceResponder(services: server.services, clock: server.clock, publicOrigin: TestServer.origin),
            started)
        stage.session = login?.cookie.value ?? ""
        return stage
    }

    private static func management(_ started: @escaping Started) throws -> Stage {
        let routing = HTTPRouting(limits: limits, metrics: MetricsRegistry(), now: { 0 })
        let health = ServerHealth()
        health.setReady(true)
        return try stage(routing.managementResponder(health: health), started)
    }

    private static func pushSink(_ started: @escaping Started) throws -> Stage {
        let sink = PushSink(
            account: try SinkAccount.make(random: SystemRandomSource()), clock: SystemWallClock(),
            random: SystemRandomSource(), logger: logger)
        return try stage(try sink.router(at: "https://127.0.0.1").buildResponder(), started)
    }
}

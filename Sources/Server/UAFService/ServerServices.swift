import BackendAPI
import Logging
package import ServerCore
package import UAF

/// The services of one server process, put together.
///
/// Make it, call ``start()`` once, then let ``run()`` work beside the HTTP service until the process ends.
package final class ServerServices: Sendable {
    package let settings: ServerSettings
    package let acceptance: AcceptanceService
    package let registrationRequests: RegistrationRequestService
    package let registrationResponses: RegistrationResponseService
    package let authenticationRequests: AuthenticationRequestService
    package let authenticationResponses: AuthenticationResponseService
    package let deregistration: DeregistrationService
    package let attestation: AttestationService
    /// Nil unless configured.
    package let passwordLogin: PasswordLoginService?
    /// Nil unless configured.
    package let conformance: ConformanceService?
    package let users: UserService
    package let tokens: TokenService
    package let keys: KeyService
    package let sessions: SessionService
    package let authorization: AuthorizationService
    package let audit: AuditService
    package let outOfBand: OutOfBandService
    package let redemption: RedemptionService
    package let status: StatusService
    package let targets: DispatchTargetService
    package let devices: DeviceService
    /// Certificates of the TLS front ends, of which nothing is known until they are said.
    package var frontEnds: KnownFrontEnds { parts.frontEnds }

    /// Versions of applications in use.
    package let applicationUse: ApplicationUse
    package let maintenance: MaintenanceService
    package let signals: ProcessSignals
    package var polling: StatusPolling { parts.polling }
    /// Call when the status of a ceremony has changed, here or in another process.
    package var statusNotifier: StatusNotifier { parts.statusNotifier }
    /// Positions of the subscribers of the audit, which bound what is pruned.
    package var subscriberOffsets: SubscriberOffsets { parts.subscriberOffsets }
    package var auditDamage: AuditDamage { parts.auditDamage }
    package var receipts: ReceiptService { parts.receipts }
    package var log: ServiceLog { parts.log }
    package let storage: Storage
    package let ports: ServerPorts
    private let parts: ServiceFactory
    /// Counts requests refused by their form or by a limit, which must not use up the places of the audit.
    private let requestRefusals = RefusalCounter()

    /// Puts the services together; `metadata` states the authenticator models.
    ///
    /// Throws ``ServerError/invalidSetting(name:)`` for settings that contradict the rules.
    package init(
        settings: ServerSettings, storage: Storage, masterKey: MasterKey, metadata: MetadataCatalog, ports: ServerPorts
    ) throws(ServerError) {
        try settings.requireSound()
        self.settings = settings
        self.ports = ports
        self.storage = storage
        let (clock, random) = (ports.clock, ports.random)
        applicationUse = ApplicationUse(since: ports.wall.now())
        signals = ProcessSignals(ports.processes.channel)
        keys = KeyService(store: storage.keys, masterKey: masterKey, clock: clock, random: random, signals: signals)
        acceptance = AcceptanceService(
            try Acceptance(metadata: metadata, settings: settings.uaf), revisions: storage.policies, clock: clock)
        sessions = SessionService(storage: storage, settings: settings.sessions, clock: clock, random: random)
        tokens = try TokenService(
            settings: settings.tokens, keys: keys, users: storage.users, clock: ports.wall, serverTime: clock)
        authorization = AuthorizationService(
            tokens: tokens, sessions: sessions, accessKeys: AccessKeys(settings.outOfBand.accessKeys))
        users = UserService(
            storage: storage, passwordCost: settings.passwordLogin?.cost ?? .standard, clock: clock, random: random)
        audit = AuditService(log: storage.audit, keys: keys)
        parts = ServiceFactory(
            settings: settings, storage: storage, ports: ports, signals: signals, keys: keys, acceptance: acceptance)
        maintenance = parts.maintenance(sessions: sessions, requestRefusals: requestRefusals)
        registrationRequests = parts.registrationRequests()
        registrationResponses = parts.registrationResponses()
        authenticationRequests = parts.authenticationRequests(sessions: sessions)
        authenticationResponses = parts.authenticationResponses(tokens: tokens, sessions: sessions)
        deregistration = parts.deregistration()
        attestation = parts.attestation()
        outOfBand = parts.outOfBand()
        let requests = ConformanceService.Requests(
            registration: registrationRequests, authentication: authenticationRequests, deregistration: deregistration)
        redemption = parts.redemption(requests)
        status = parts.status(tokens: tokens, accessKeys: authorization.accessKeys)
        targets = parts.targets()
        devices = parts.devices()
        passwordLogin = parts.passwordLogin(sessions: sessions)
        conformance = parts.conformance(
            requests: requests,
            responses: .init(registration: registrationResponses, authentication: authenticationResponses),
            users: users)
    }

    /// Public document of the key set endpoint: the keys of our tokens, and which kinds of dispatchers there are.
    package var keySetDocument: [UInt8] {
        guard let keys = tokens.ownKeys else { return [] }
        return KeySetDocument(keys: keys, dispatchers: ports.dispatchers.current.all.map(\.name)).body
    }

    /// Takes up server time, reads or makes the keys and keeps the policies; nothing works before.
    ///
    /// A start that fails leaves no report: the server does not run, and commands that ask for that may help it.
    package func start() async throws(ServerError) {
        try await maintenance.synchronizeClock()
        do throws(ServerError) {
            try await keys.start()
            try await parts.auditSigning.start()
            try await parts.receipts.publishKey()
            try await acceptance.start()
            try await parts.decoys.refresh(at: ports.clock.now(), mayReplace: true)
        } catch {
            await maintenance.leave()
            throw error
        }
    }

    /// Runs the recurring tasks every ``KeyService/pollInterval``, until the task is cancelled.
    package func run() async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await self.maintenance.run() }
            group.addTask { await self.keys.followChanges() }
        }
    }

    package func maintain() async { await maintenance.round() }

    /// Counts a request that was refused over HTTP; true while the log may tell of it by itself.
    ///
    /// `reason` is from a fixed list of words; what is counted is summed up for the log every ``RefusalCounter/window``.
    package func countRefusedRequest(_ reason: String, from network: String) -> Bool {
        requestRefusals.count(reason, from: .address(network), at: ports.clock.now())
    }

    /// Makes all keys anew and lets server time begin at the time of day: every challenge, token and link ends.
    ///
    /// With `isMasterKeyLost` the keys that are never renewed otherwise are replaced, too.
    package func replaceKeys(isMasterKeyLost: Bool = false) async throws(ServerError) {
        if !isMasterKeyLost { try await keys.poll() }
        let record = ports.serverClock?.restarted()
        try await keys.replaceAll(isMasterKeyLost ? KeyPurpose.allCases : KeyPurpose.rotating, restarting: record)
        if isMasterKeyLost { try await parts.auditSigning.startAnew() }
    }
}

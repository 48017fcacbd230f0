import Logging
package import UAF

/// The services of one server process, put together.
///
/// Make it, call ``start()`` once, then let ``run()`` work beside the HTTP service until the process ends.
package final class ServerServices: Sendable {
    package let settings: ServerSettings
    package let acceptance: AcceptanceService
    package let registration: RegistrationService
    package let authentication: AuthenticationService
    package let deregistration: DeregistrationService
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
    package let status: StatusService
    package let targets: DispatchTargetService
    package let devices: DeviceService

    private let storage: Storage
    private let ports: ServerPorts

    /// Puts the services together; `metadata` states the authenticator models.
    ///
    /// Throws ``ServerError/invalidSetting(name:)`` for settings that contradict the rules.
    package init(
        settings: ServerSettings, storage: Storage, masterKey: MasterKey, metadata: MetadataCatalog, ports: ServerPorts
    ) throws(ServerError) {
        try settings.requireSound()
        self.settings = settings
        self.storage = storage
        self.ports = ports
        keys = KeyService(store: storage.keys, masterKey: masterKey, clock: ports.clock, random: ports.random)
        acceptance = AcceptanceService(
            try Acceptance(metadata: metadata, settings: settings.uaf), revisions: storage.policies, clock: ports.clock)
        sessions = SessionService(
            sessions: storage.sessions, settings: settings.sessions, clock: ports.clock, random: ports.random)
        tokens = try TokenService(
            settings: settings.tokens, keys: keys, users: storage.users, clock: ports.clock)
        authorization = AuthorizationService(
            tokens: tokens, sessions: sessions, accessKeys: settings.outOfBand.accessKeys)
        users = UserService(
            users: storage.users, credentials: storage.credentials,
            passwordCost: settings.passwordLogin?.cost ?? .standard, clock: ports.clock, random: ports.random)
        audit = AuditService(log: storage.audit)
        let context = CeremonyContext(
            settings: settings, storage: storage, ports: ports, keys: keys, acceptance: acceptance,
            verificationKeys: VerificationKeys(secp256k1: ports.secp256k1), board: StatusBoard())
        registration = RegistrationService(context)
        authentication = AuthenticationService(context, tokens: tokens, sessions: sessions)
        deregistration = DeregistrationService(context)
        outOfBand = OutOfBandService(
            context, registration: registration, authentication: authentication, deregistration: deregistration)
        status = StatusService(context)
        targets = DispatchTargetService(context)
        devices = DeviceService(context)
        passwordLogin = settings.passwordLogin.map { [sessions] login in
            PasswordLoginService(
                users: storage.users, audit: storage.audit, sessions: sessions, settings: login, clock: ports.clock,
                random: ports.random)
        }
        conformance =
            settings.conformance
            ? ConformanceService(
                context, registration: registration, authentication: authentication, deregistration: deregistration,
                users: users) : nil
    }

    /// Reads or makes the keys and keeps the policies; nothing works before.
    package func start() async throws(ServerError) {
        try await keys.start()
        try await acceptance.start()
    }

    /// Does what has to be done again and again, every ``KeyService/pollInterval``, until the task is cancelled.
    package func run() async {
        while !Task.isCancelled {
            await maintain()
            try? await Task.sleep(for: KeyService.pollInterval)
        }
    }

    /// One round of ``run()``: keys, then what has been kept for long enough.
    ///
    /// A failure is logged and tried again in the next round.
    package func maintain() async {
        do throws(ServerError) {
            try await keys.maintain()
            try await storage.unitOfWork.purgeConsumption(before: ports.clock.now() - Self.consumptionMemory)
            try await sessions.purge()
            try await maintainOperations()
        } catch {
            ports.logger.error("maintenance failed", metadata: ["error": "\(error)"])
        }
    }

    /// Writes down which operations are over, and forgets what nobody can ask for any more.
    private func maintainOperations() async throws(ServerError) {
        let now = ports.clock.now()
        while try await storage.operations.expire(at: now, limit: Self.expiryBatch) == Self.expiryBatch {}
        try await storage.operations.purge(
            endedBefore: now - settings.outOfBand.retention,
            incidentsBefore: now - settings.outOfBand.limits.window)
        try await storage.targets.purgeRequests(before: now)
    }

    /// Operations that are ended in one transaction.
    private static let expiryBatch = 100

    /// How long a consumed challenge is remembered after its expiry.
    package static let consumptionMemory: Duration = .seconds(600)
}

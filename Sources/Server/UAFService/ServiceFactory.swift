import LoadControl
import ServerCore

/// Parts that several services share, made once for a server; each service is handed those that it uses.
struct ServiceFactory: Sendable {
    let decoys: DecoyProfiles
    let frontEnds: KnownFrontEnds
    let statusNotifier: StatusNotifier
    /// Places of the subscribers of the audit, which pruning leaves alone.
    let subscriberOffsets: SubscriberOffsets
    let auditDamage: AuditDamage
    let auditSigning: AuditSigning
    let receipts: ReceiptService

    private let settings: ServerSettings
    private let storage: Storage
    private let ports: ServerPorts
    private let keys: KeyService
    private let acceptance: AcceptanceService
    let log: ServiceLog
    private let grants: GrantRules
    private let issuer: ChallengeIssuer
    private let holders = UserCredentialCache()
    private let opener: ResponseOpener
    private let committer: OutcomeCommitter
    private let attestationKeys: AttestationKeySeal
    private let applications: AppAttestationVerification
    private let targetRules: DispatchTargetRules
    private let deviceRequests: DeviceRequestProcessor
    let polling: StatusPolling

    init(
        settings: ServerSettings, storage: Storage, ports: ServerPorts, signals: ProcessSignals, keys: KeyService,
        acceptance: AcceptanceService
    ) {
        self.settings = settings
        self.storage = storage
        self.ports = ports
        self.keys = keys
        self.acceptance = acceptance
        decoys = DecoyProfiles(storage.decoys)
        frontEnds = KnownFrontEnds(clock: ports.clock, responseLifetime: settings.uaf.responseLifetime)
        log = ServiceLog(logger: ports.logger, clock: ports.clock, signals: signals)
        statusNotifier = StatusNotifier(signals)
        polling = StatusPolling(
            notifier: statusNotifier, clock: ports.clock, pause: ports.pause,
            waits: QueueBound(ports.load.settings.statusWaits, of: .statusWaits, ports.load))
        subscriberOffsets = SubscriberOffsets(transactions: storage.transactions)
        auditDamage = AuditDamage(logger: ports.logger)
        auditSigning = AuditSigning(log: storage.audit, keys: keys, clock: ports.clock, damage: auditDamage)
        receipts = ReceiptService(
            issuer: settings.tokens.issuer, keys: keys, transactions: storage.transactions, clock: ports.clock)
        grants = GrantRules(
            settings: settings.authorization, users: storage.users, credentials: storage.credentials,
            transactions: storage.transactions, clock: ports.clock)
        let seal = CeremonySeal(keys: keys, random: ports.random)
        issuer = ChallengeIssuer(settings: settings.uaf, seal: seal, random: ports.random, clock: ports.clock)
        committer = OutcomeCommitter(
            unitOfWork: storage.unitOfWork, statusNotifier: statusNotifier, limits: settings.outOfBand.limits, log: log)
        attestationKeys = AttestationKeySeal(keys: keys, random: ports.random, clock: ports.clock)
        opener = ResponseOpener(
            rules: ResponseRules(settings: settings, frontEnds: frontEnds, attestationKeys: attestationKeys),
            acceptance: acceptance, seal: seal, transactions: storage.transactions,
            operations: storage.operations, holders: holders,
            clock: ports.clock, log: log, committer: committer)
        applications = AppAttestationVerification(transactions: storage.transactions)
        targetRules = DispatchTargetRules(dispatchers: ports.dispatchers, random: ports.random, clock: ports.clock)
        deviceRequests = DeviceRequestProcessor(
            verification: DeviceRequestVerification(
                settings: settings.outOfBand, targets: storage.targets, wall: ports.wall, clock: ports.clock),
            transactions: storage.transactions, targets: storage.targets, audit: storage.audit, clock: ports.clock,
            log: log)
    }

    private var contentSeal: ContentSeal { ContentSeal(keys: keys, random: ports.random) }

    private var policies: AuthenticationPolicyComposer {
        AuthenticationPolicyComposer(settings: settings.uaf, keys: keys, profiles: decoys, clock: ports.clock)
    }
}

// MARK: - UAF operations

extension ServiceFactory {
    func registrationRequests() -> RegistrationRequestService {
        RegistrationRequestService(
            settings: settings.authorization, hidesUnknownUsers: settings.uaf.hidesUnknownUsers,
            acceptance: acceptance, grants: grants, issuer: issuer, users: storage.users,
            credentials: storage.credentials, keys: keys, log: log)
    }

    func registrationResponses() -> RegistrationResponseService {
        let targets = TargetAttachmentVerification(
            settings: settings.outOfBand, rules: targetRules, verification: deviceRequests.verification)
        return RegistrationResponseService(
            maximumCredentialCount: settings.authorization.maximumCredentialCount, acceptance: acceptance,
            opener: opener, committer: committer, applications: applications, targets: targets,
            credentials: storage.credentials, random: ports.random, log: log)
    }

    func authenticationRequests(sessions: SessionService) -> AuthenticationRequestService {
        AuthenticationRequestService(
            settings: settings.uaf, acceptance: acceptance, policies: policies, issuer: issuer,
            credentials: storage.credentials, keys: keys, sessions: sessions, holders: holders, log: log)
    }

    func authenticationResponses(tokens: TokenService, sessions: SessionService) -> AuthenticationResponseService {
        let claims = ClaimedCredentialReader(
            verificationKeys: VerificationKeys(), transactions: storage.transactions)
        let proofs = AuthenticationProofs(
            settings: settings.sessions, tokens: tokens, sessions: sessions, wall: ports.wall)
        return AuthenticationResponseService(
            acceptance: acceptance, policies: policies, opener: opener, claims: claims, committer: committer,
            applications: applications, proofs: proofs,
            evidence: ConfirmationEvidence(isEnabled: settings.receipts.isEnabled, wall: ports.wall), log: log)
    }

    func attestation() -> AttestationService {
        AttestationService(
            acceptance: acceptance, seal: attestationKeys, random: ports.random, wall: ports.wall, log: log)
    }

    func deregistration() -> DeregistrationService {
        DeregistrationService(
            appID: settings.uaf.appID, grants: grants, transactions: storage.transactions,
            credentials: storage.credentials, clock: ports.clock, log: log)
    }

    func conformance(
        requests: ConformanceService.Requests, responses: ConformanceService.Responses, users: UserService
    ) -> ConformanceService? {
        guard settings.conformance else { return nil }
        return ConformanceService(
            acceptance: acceptance, requests: requests, responses: responses, users: users, names: storage.users,
            log: log)
    }
}

// MARK: - Everything else

extension ServiceFactory {
    func outOfBand() -> OutOfBandService {
        let admission = OperationAdmission(
            settings: settings, acceptance: acceptance, grants: grants, users: storage.users)
        return OutOfBandService(
            settings: settings.outOfBand, admission: admission, transactions: storage.transactions,
            targets: storage.targets, operations: storage.operations, contentSeal: contentSeal,
            dispatchers: ports.dispatchers, statusNotifier: statusNotifier, random: ports.random, clock: ports.clock,
            logger: ports.logger, log: log,
            deliveries: QueueBound(ports.load.settings.deliveries, of: .deliveries, ports.load))
    }

    func redemption(_ requests: ConformanceService.Requests) -> RedemptionService {
        RedemptionService(
            responseLifetime: settings.uaf.responseLifetime, transactions: storage.transactions,
            operations: storage.operations, statusNotifier: statusNotifier, clock: ports.clock, log: log,
            registration: requests.registration,
            authentication: requests.authentication, deregistration: requests.deregistration)
    }

    func status(tokens: TokenService, accessKeys: AccessKeys) -> StatusService {
        StatusService(
            settings: settings.outOfBand, transactions: storage.transactions, operations: storage.operations,
            polling: polling, clock: ports.clock, tokens: tokens, accessKeys: accessKeys, receipts: receipts)
    }

    func targets() -> DispatchTargetService {
        DispatchTargetService(
            settings: settings.outOfBand, grants: grants, rules: targetRules, requests: deviceRequests,
            transactions: storage.transactions, users: storage.users, targets: storage.targets, clock: ports.clock)
    }

    func devices() -> DeviceService {
        DeviceService(requests: deviceRequests, contentSeal: contentSeal, clock: ports.clock, log: log)
    }

    func passwordLogin(sessions: SessionService) -> PasswordLoginService? {
        guard let login = settings.passwordLogin else { return nil }
        return PasswordLoginService(
            gate: PasswordGate(
                settings: login, transactions: storage.transactions, clock: ports.clock, load: ports.load),
            standIn: PasswordRecord(standingIn: login.cost, random: ports.random), users: storage.users,
            sessions: sessions, clock: ports.clock, log: log, keys: keys, random: ports.random)
    }

    /// `requestRefusals` counts what is refused before any service sees it.
    func maintenance(sessions: SessionService, requestRefusals: RefusalCounter) -> MaintenanceService {
        let clocks = ClockMaintenance(
            clock: ports.serverClock, store: storage.clock,
            instance: ports.processes.name(ofInstance: settings.instanceName), logger: ports.logger)
        let summaries = RefusalSummaries(
            log, requestRefusals: requestRefusals, audit: storage.audit, logger: ports.logger)
        let pruning = AuditPruning(
            audit: AuditService(log: storage.audit, keys: keys), chain: settings.instanceName,
            retention: settings.auditRetention,
            leadership: ports.processes.leadership, places: subscriberOffsets, logger: ports.logger)
        let retention = RetentionTasks(
            settings: settings, unitOfWork: storage.unitOfWork, transactions: storage.transactions,
            operations: storage.operations, targets: storage.targets, sessions: sessions, clockStore: storage.clock,
            log: log)
        return MaintenanceService(
            clocks: clocks, keys: keys, summaries: summaries, pruning: pruning, signing: auditSigning, decoys: decoys,
            retention: retention,
            leader: MaintenanceLeader(ports.processes.leadership, logger: ports.logger), health: storage.health,
            load: ports.load, clock: ports.clock, logger: ports.logger)
    }
}

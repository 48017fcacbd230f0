import BackendAPI
import OpenID
import RelyingParty
import ServerCore
import ServerPersistence
import TestSupport
import Testing
import UAF

/// Storage whose transactions are put to the contract of the port.
enum ContractStorage: CaseIterable, Sendable {
    /// The values in memory on which rules are tested.
    case memory
    case sqlite
    case postgreSQL

    /// The database behind it; nil for the values in memory.
    var database: StoredDatabase? {
        switch self {
        case .memory: nil
        case .sqlite: .sqlite
        case .postgreSQL: .postgreSQL
        }
    }
}

/// The users `jeff` and `anna` on a storage, and what they may have.
struct ContractStage: Sendable {
    private enum Place: Sendable {
        case memory(MemoryTransactionRunner)
        case database(SQLStorage, OpenedDatabase)
    }

    let jeff: User
    let anna: User
    let now = Timestamp(seconds: 1_700_000_000)
    let random = SeededRandom()
    let device: SyntheticDevice
    /// The database with its plans; nil for the values in memory.
    let planned: PlannedDatabase?
    private let place: Place

    init(_ storage: ContractStorage) async throws {
        device = try SyntheticDevice()
        jeff = User(
            id: UserID(from: random), name: try #require(UserName("jeff")), externalID: try #require(UserName("1")),
            createdAt: now)
        anna = User(
            id: UserID(from: random), name: try #require(UserName("anna")), externalID: try #require(UserName("2")),
            createdAt: now)
        if let kind = storage.database {
            let opened = try await kind.migrated(at: now)
            let planned = PlannedDatabase(opened.database)
            self.planned = planned
            place = .database(SQLStorage(on: planned, chainID: "test"), opened)
        } else {
            planned = nil
            place = .memory(MemoryTransactionRunner())
        }
        for user in [jeff, anna] { try await add(user) }
    }

    /// The ports of the storage; nil for the values in memory.
    var ports: Storage? {
        if case .database(let storage, _) = place { storage.ports } else { nil }
    }

    private var transactions: any OpenIDTransactionRunner {
        switch place {
        case .memory(let runner): runner
        case .database(let storage, _): storage.openID
        }
    }

    /// Transactions of another process on the same storage; of the values in memory the same ones.
    func anotherProcess() throws -> any OpenIDTransactionRunner {
        guard case .database(_, let opened) = place else { return transactions }
        return SQLStorage(on: try opened.another(), chainID: "another").openID
    }

    /// Runs a body as one transaction.
    func write<Value: Sendable>(_ body: @escaping OpenIDTransactionBody<Value>) async throws -> Value {
        try await transactions.transaction(body)
    }

    /// Runs a body on one consistent state.
    func read<Value: Sendable>(_ body: @escaping OpenIDSnapshotBody<Value>) async throws -> Value {
        try await transactions.read(body)
    }

    // MARK: - Beside the port

    private func add(_ user: User) async throws {
        switch place {
        case .memory(let runner): runner.change { $0.users.append(user) }
        case .database(let storage, _):
            try await storage.ports.users.add(
                user, mayBeAlike: false, password: nil, event: AuditEvent(.userAdded, at: now))
        }
    }

    /// Locks a user, as an administrator does.
    func lock(_ user: User) async throws {
        switch place {
        case .memory(let runner):
            let locked = User(
                id: user.id, name: user.name, externalID: user.externalID, status: .locked, createdAt: user.createdAt)
            runner.change { state in state.users = state.users.map { $0.id == user.id ? locked : $0 } }
        case .database(let storage, _):
            try await storage.ports.setStatus(.locked, of: user.id, at: now)
        }
    }

    /// Switches a credential off, as an administrator does.
    func disable(_ credential: RegisteredCredential) async throws { try await setStatus(.disabled, credential) }

    /// Switches a credential on or off, as an administrator does.
    func setStatus(_ status: RegisteredCredential.Status, _ credential: RegisteredCredential) async throws {
        let (id, user, now) = (credential.id, credential.userID, now)
        _ = try await write { transaction throws(ServerTransactionFailure) in
            try transaction.setStatus(status, of: [id], ownedBy: user, at: now)
        }
    }

    /// Records of an event so far.
    func records(of kind: AuditEvent.Kind) async throws -> Int {
        switch place {
        case .memory(let runner): return runner.kept.audit.count { $0.kind == kind }
        case .database(let storage, _):
            let records = try await storage.ports.audit.records(of: "test", after: 0, limit: 100)
            return records.count { String(decoding: $0.event, as: UTF8.self).contains(#""\#(kind.rawValue)""#) }
        }
    }

    /// Content of the record with this number, from 1 on, in a chain.
    func record(at sequence: Int64, of chain: String) async throws -> String? {
        switch place {
        case .memory(let runner):
            let events = runner.kept.audit
            return events.dropFirst(Int(sequence) - 1).first.map { String(decoding: $0.json, as: UTF8.self) }
        case .database(let storage, _):
            let records = try await storage.ports.audit.records(of: chain, after: sequence - 1, limit: 1)
            return records.first.map { String(decoding: $0.event, as: UTF8.self) }
        }
    }

    // MARK: - What users have

    /// A credential of `jeff`, or of another user.
    func credential(
        of user: User? = nil, counter: UInt32 = 0, registeredAt time: Timestamp? = nil, keyID: KeyID? = nil,
        on target: DispatchTargetID? = nil, protection: KeyAttestationFinding = .chip
    ) throws -> VerifiedCredential {
        let fresh = try #require(KeyID(random.bytes(count: 32)))
        let verified = try VerifiedCredential.verified(
            CredentialID(aaid: try #require(AAID("F1D0#1001")), keyID: keyID ?? fresh),
            Counters(signatures: counter, registrations: 0), protection)
        return VerifiedCredential(
            verified, of: (user ?? jeff).id, at: time ?? now, as: RegistrationID(from: random), on: target)
    }

    /// A session of a user.
    func session(of user: User, _ number: UInt8) -> Session {
        Session(
            cookieHash: CookieHash(of: [number]), userID: user.id, method: .fidoUAF,
            evidence: RequestAuthorization.Evidence(authenticatedAt: now), createdAt: now,
            expiresAt: now + .seconds(900))
    }

    /// A target of `jeff` on the device.
    func target(_ name: String = "phone", createdAt time: Timestamp? = nil) throws -> DispatchTarget {
        DispatchTarget(
            id: DispatchTargetID(from: random), externalID: TargetExternalID(from: random), userID: jeff.id,
            deviceID: device.id, name: try #require(DeviceName(name)), dispatcher: nil, destination: nil,
            signatureKey: DeviceKey(try device.signatureKey), encryptionKey: nil, createdAt: time ?? now)
    }

    /// An operation of `jeff`, of another user or of none, created and expiring so many seconds after the beginning.
    func operation(
        of user: User?, for target: DispatchTargetID? = nil, createdAt start: Int = 0, expiringAt end: Int = 120
    ) throws -> OutOfBandCeremony {
        let time = now + .seconds(start)
        return OutOfBandCeremony(
            id: CeremonyID(from: random), operation: .authentication, userID: user?.id, targetID: target,
            initiator: .accessKey(try #require(AccessKeyName("portal"))),
            tokenHash: RedeemTokenHash(of: random.bytes(count: 16)), requestContext: "{}", link: nil, dispatch: nil,
            sealedContent: [1, 2, 3], createdAt: time,
            progress: CeremonyProgress(tokenCreatedAt: time, expiresAt: now + .seconds(end)))
    }
}

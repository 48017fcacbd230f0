import BackendAPI
import OpenID
import ServerCore
import TestSupport
import Testing
import UAF

/// The user `jeff` in memory, for rules that are tested without a database.
struct RuleStage {
    let transaction = MemoryTransaction()
    let random = SeededRandom()
    let now = Timestamp(seconds: 1_700_000_000)
    let user: User

    init() throws {
        user = User(
            id: UserID(from: random), name: try #require(UserName("jeff")), externalID: try #require(UserName("id")),
            createdAt: now)
        transaction.state.users = [user]
    }

    /// Puts the user into another state.
    func setUser(_ status: User.Status = .active, notBefore: Timestamp = Timestamp(milliseconds: 0)) {
        transaction.state.users = [
            User(
                id: user.id, name: user.name, externalID: user.externalID, status: status, createdAt: now,
                notBefore: notBefore)
        ]
    }

    func event(_ kind: AuditEvent.Kind) -> AuditEvent { AuditEvent(kind, at: now, userID: user.id) }

    /// A grant of the user, made by `registrations`.
    func grant(by registrations: [RegistrationID] = [], at time: Timestamp? = nil) -> RequestAuthorization.Login {
        RequestAuthorization.Login(
            user: user, methods: [.fidoUAF],
            evidence: RequestAuthorization.Evidence(authenticatedAt: time ?? now, registrations: registrations))
    }

    /// Adds a credential.
    @discardableResult
    func addCredential(
        on target: DispatchTargetID? = nil, counter: UInt32 = 0, status: RegisteredCredential.Status = .active
    ) throws -> RegisteredCredential {
        let credential = RegisteredCredential(
            registrationID: RegistrationID(from: random), userID: user.id,
            id: CredentialID(
                aaid: SyntheticAuthenticator.defaultAAID, keyID: try #require(KeyID(random.bytes(count: 32)))),
            algorithm: .secp256r1ECDSASHA256DER, publicKey: EncodedPublicKey(format: .eccX962DER, octets: [1]),
            counters: Counters(signatures: counter, registrations: 0), authenticatorVersion: 1, status: status,
            registeredAt: now, lastSuccessAt: nil, targetID: target)
        transaction.state.credentials.append(credential)
        return credential
    }

    /// A target of the user on a device.
    func target(on device: SyntheticDevice, named name: String = "phone") throws -> DispatchTarget {
        DispatchTarget(
            id: DispatchTargetID(from: random), externalID: TargetExternalID(from: random), userID: user.id,
            deviceID: device.id, name: try #require(DeviceName(name)), dispatcher: nil, destination: nil,
            signatureKey: DeviceKey(try device.signatureKey), encryptionKey: nil, createdAt: now)
    }

    /// Adds a target of the user on a device.
    func addTarget(on device: SyntheticDevice, named name: String = "phone") throws -> DispatchTarget {
        let target = try target(on: device, named: name)
        transaction.insert(target)
        return target
    }

    /// An operation of the user, begun now and good for two minutes.
    func operation(
        _ operation: OperationKind = .authentication, isPush: Bool = false, for target: DispatchTargetID? = nil,
        link: ChannelLink? = nil, evidence: RequestAuthorization.Evidence? = nil
    ) throws -> OutOfBandCeremony {
        var ceremony = OutOfBandCeremony(
            id: CeremonyID(from: random), operation: operation, userID: user.id, targetID: target,
            initiator: .accessKey(try #require(AccessKeyName("portal"))),
            tokenHash: RedeemTokenHash(of: random.bytes(count: 16)), requestContext: "", link: link, dispatch: nil,
            sealedContent: [], createdAt: now,
            progress: CeremonyProgress(tokenCreatedAt: now, expiresAt: now + .seconds(120)), evidence: evidence)
        ceremony.isPush = isPush
        return ceremony
    }

    /// A code that a page shows to a stranger, begun now and good for two minutes.
    func strangersCode() throws -> OutOfBandCeremony {
        var code = OutOfBandCeremony(
            id: CeremonyID(from: random), operation: .authentication, userID: nil, targetID: nil,
            initiator: .client(try #require(ClientID("shop"))),
            tokenHash: RedeemTokenHash(of: random.bytes(count: 16)), requestContext: "", link: nil, dispatch: nil,
            sealedContent: [], createdAt: now,
            progress: CeremonyProgress(tokenCreatedAt: now, expiresAt: now + .seconds(120)))
        code.isByStranger = true
        code.session = InitiatorSessionHash(of: "page".utf8)
        return code
    }

    /// Status of an operation as it was last written.
    func status(_ operation: OutOfBandCeremony) -> CeremonyProgress.Status? {
        transaction.operation(operation.id)?.progress.status
    }
}

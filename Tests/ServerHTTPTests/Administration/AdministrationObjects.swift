import BackendAPI
import OpenID
import ServerCore
import ServerPersistence
import TestSupport
import Testing
import UAF
import UAFService

@testable import ServerHTTP

/// A user with a phone, a key, a passkey and an operation that waits, whom an access key has added.
struct AdministrationObjects {
    private let user: User
    private let target: DispatchTarget
    private let credential: RegistrationID
    private let operation: CeremonyID
    private let passkey: RegistrationID

    /// Makes the objects of a sender; nil: of the operator.
    init(of sender: String?, in stage: AdministrationFixture) async throws {
        let services = stage.server.services
        let (now, random) = (services.ports.clock.now(), services.ports.random)
        let key = sender.flatMap { AccessKeyName($0.replacing(":", with: "-")) }
        let user = try await services.users.add(
            name: "user of \(sender ?? "the operator")", owner: key.map { .accessKey($0) }, mayBeAlike: true)
        let target = DispatchTarget(
            id: DispatchTargetID(from: random), externalID: TargetExternalID(from: random), userID: user.id,
            deviceID: nil, name: try #require(DeviceName("phone")), dispatcher: nil, destination: nil,
            signatureKey: DeviceKey(try SyntheticDevice().signatureKey), encryptionKey: nil, createdAt: now)
        let ceremony = OutOfBandCeremony(
            id: CeremonyID(from: random), operation: .authentication, userID: user.id, targetID: nil,
            initiator: .administrator, tokenHash: RedeemTokenHash(of: random.bytes(count: 16)), requestContext: "{}",
            link: nil, dispatch: nil, sealedContent: [], createdAt: now,
            progress: CeremonyProgress(tokenCreatedAt: now, expiresAt: now + .seconds(600)))
        try await services.storage.transaction { transaction throws(ServerTransactionFailure) in
            try transaction.insert(target)
            try transaction.insert(ceremony)
        }
        let passkey = try Passkey(
            of: user.id, named: try #require(DeviceName("Laptop")), at: now, random: SystemRandomSource())
        _ = try await stage.sites.transactions.transaction { transaction throws(ServerTransactionFailure) in
            try transaction.insert(passkey)
        }
        self.passkey = passkey.id
        let credential = RegistrationID(from: random)
        let keyID = random.bytes(count: 32)
        _ = try await stage.server.database.transaction { connection throws(ServerPersistenceError) in
            try connection.execute(
                """
                INSERT INTO credentials (registration_id, user_id, aaid, key_id, algorithm, public_key_format,
                    public_key, sign_counter, registration_counter, authenticator_version, status, registered_at,
                    dispatch_target_id)
                VALUES ($1, $2, 'FFFF#0001', $3, 2, 256, $3, 1, 1, 1, 'active', 1, $4)
                """,
                [.blob(credential.octets), .blob(user.id.octets), .blob(keyID), .blob(target.id.octets)])
        }
        (self.user, self.target, self.credential, operation) = (user, target, credential, ceremony.id)
    }

    /// Identifier of the object that a path, or else the parameter `user`, names.
    func id(in path: String) -> String {
        if path.hasSuffix("{deviceId}") { return target.id.text }
        if path.hasSuffix("{credentialId}") { return credential.text }
        if path.hasSuffix("{passkeyId}") { return passkey.text }
        return path.hasSuffix("{operationId}") ? operation.text : user.id.text
    }
}

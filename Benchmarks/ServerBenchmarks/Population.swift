import Foundation
import Octets
import ServerCore
import ServerPersistence
import ServerPersistenceSQLite
import TestSupport
import UAF

/// Users in the database before the server starts.
struct Population {
    /// The server's data folder.
    let folder: URL

    /// Name of the user of a phone under load.
    static func phoneUser(_ number: Int) -> String { "phone\(number)" }

    /// Adds `sleeping` users with one credential each, and the users of the phones with none.
    func fill(sleeping: Int, phones: Int) async throws {
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        let database = try SQLiteDatabase(path: folder.appending(path: "signet.sqlite").path())
        let clock = SystemWallClock()
        try await Migrator().migrate(database, at: clock.now())
        let storage = SQLStorage.ports(on: database, chainID: "population")
        let users = UserService(
            users: storage.users, credentials: storage.credentials, passwordCost: .standard, clock: clock,
            random: SystemRandomSource())
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<phones { group.addTask { try await users.add(name: Self.phoneUser(number)) } }
            for number in 0..<sleeping {
                // At most as many at once as share one transaction.
                if number >= GroupCommit.memberLimit { try await group.next() }
                group.addTask {
                    let user = try await users.add(name: "sleeper\(number)")
                    try await Self.register(user, storage, at: clock.now())
                }
            }
            try await group.waitForAll()
        }
        try database.close()
    }

    private static func register(_ user: User, _ storage: Storage, at now: Timestamp) async throws {
        let random = SystemRandomSource()
        guard let keyID = KeyID(random.bytes(count: 32)) else { throw BenchmarkFailure.badConstant }
        let credential = RegisteredCredential(
            registrationID: RegistrationID(from: random), userID: user.id,
            id: CredentialID(aaid: SyntheticAuthenticator.defaultAAID, keyID: keyID),
            algorithm: .secp256r1ECDSASHA256DER,
            publicKey: EncodedPublicKey(format: .eccX962DER, octets: random.bytes(count: 91)),
            counters: Counters(signatures: 1, registrations: 1), authenticatorVersion: 1, status: .active,
            registeredAt: now, lastSuccessAt: nil)
        let outcome = CeremonyOutcome(
            challenge: ChallengeHash(of: random.bytes(count: 32)), challengeExpiresAt: now + .seconds(120),
            effect: .register([credential], of: user.id, limit: 1),
            event: AuditEvent(.registrationSucceeded, at: now, userID: user.id))
        guard case .committed = try await storage.unitOfWork.commit(outcome) else {
            throw BenchmarkFailure.badConstant
        }
    }
}

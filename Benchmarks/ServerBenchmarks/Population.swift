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
        let writes = GroupCommit(database)
        let users = UserService(
            storage: storage, passwordCost: .standard, clock: clock, random: SystemRandomSource())
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<phones { group.addTask { try await users.add(name: Self.phoneUser(number)) } }
            for number in 0..<sleeping {
                // At most as many at once as share one transaction.
                if number >= GroupCommit.memberLimit { try await group.next() }
                group.addTask {
                    let user = try await users.add(name: "sleeper\(number)")
                    try await Self.register(user, writes, at: clock.now())
                }
            }
            try await group.waitForAll()
        }
        try database.close()
    }

    /// Adds a random key beside the services: they take keys that were proved only, and nobody signs with this one.
    private static func register(_ user: User, _ writes: GroupCommit, at now: Timestamp) async throws {
        let random = SystemRandomSource()
        let values: [SQLValue] = [
            .blob(random.bytes(count: RegistrationID.byteCount)), .blob(user.id.octets),
            .text(SyntheticAuthenticator.defaultAAID.text), .blob(random.bytes(count: 32)),
            .integer(Int64(AuthenticationAlgorithm.secp256r1ECDSASHA256DER.rawValue)),
            .integer(Int64(PublicKeyFormat.eccX962DER.rawValue)), .blob(random.bytes(count: 91)),
            .integer(now.milliseconds),
        ]
        try await writes.commit { connection throws(ServerPersistenceError) in
            _ = try connection.execute(
                """
                INSERT INTO credentials (
                    registration_id, user_id, aaid, key_id, algorithm, public_key_format, public_key, sign_counter,
                    registration_counter, authenticator_version, status, registered_at)
                VALUES ($1, $2, $3, $4, $5, $6, $7, 1, 1, 1, 'active', $8)
                """, values)
        }
    }
}

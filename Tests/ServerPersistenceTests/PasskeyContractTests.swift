import BackendAPI
import OpenID
import ServerCore
import ServerPersistence
import TestSupport
import Testing
import WebAuthn

@Suite("Passkeys in a transaction, in memory, in SQLite and in PostgreSQL")
struct PasskeyContractTests {
    static let storages = ContractStorage.allCases

    private static func passkey(
        _ stage: ContractStage, of user: User, after seconds: Int = 0, _ authenticator: SoftwareAuthenticator? = nil
    ) throws -> Passkey {
        try Passkey(
            of: user.id, authenticator ?? SoftwareAuthenticator(), named: try #require(DeviceName("Läptop")),
            at: stage.now + .seconds(seconds), random: stage.random)
    }

    @Test("A passkey is read as it was written, by user and by credential, with every algorithm", arguments: storages)
    func rows(storage: ContractStorage) async throws {
        let stage = try await ContractStage(storage)
        let passkeys = try COSEAlgorithm.allCases.enumerated().map { number, algorithm in
            try Self.passkey(stage, of: stage.jeff, after: number, SoftwareAuthenticator(try .new(algorithm)))
        }
        let other = try Self.passkey(stage, of: stage.anna)
        try await stage.write { transaction throws(ServerTransactionFailure) in
            for passkey in passkeys.reversed() + [other] { _ = try transaction.insert(passkey) }
        }
        let (jeff, first) = (stage.jeff.id, passkeys[0])
        let (found, one, count) = try await stage.read { snapshot throws(ServerTransactionFailure) in
            (
                try snapshot.passkeys(of: jeff), try snapshot.passkey(credential: first.record.descriptor.id),
                try snapshot.passkeyCount(of: jeff)
            )
        }
        #expect(found == passkeys && one == first && count == passkeys.count)
    }

    @Test("A credential is one user's: the same identifier is not added again", arguments: storages)
    func uniqueness(storage: ContractStorage) async throws {
        let stage = try await ContractStage(storage)
        let authenticator = SoftwareAuthenticator()
        let (mine, hers) = (
            try Self.passkey(stage, of: stage.jeff, authenticator),
            try Self.passkey(stage, of: stage.anna, authenticator)
        )
        let added = try await stage.write { transaction throws(ServerTransactionFailure) in
            [try transaction.insert(mine), try transaction.insert(hers)]
        }
        #expect(added == [true, false])
    }

    @Test("A use moves state and time while the counter is the known one", arguments: storages)
    func use(storage: ContractStorage) async throws {
        let stage = try await ContractStage(storage)
        let passkey = try Self.passkey(stage, of: stage.jeff)
        var used = passkey
        used.record.state = PasskeyRecord.State(signCounter: .max, isBackedUp: false)
        used.usedAt = stage.now + .seconds(5)
        let (after, user) = (used, stage.jeff.id)
        let (written, found) = try await stage.write { transaction throws(ServerTransactionFailure) in
            let absent = try transaction.use(after, from: 0)
            _ = try transaction.insert(passkey)
            let uses = [absent, try transaction.use(after, from: 0), try transaction.use(after, from: 0)]
            return (uses, try transaction.passkeys(of: user))
        }
        #expect(written == [false, true, false] && found == [after])
    }

    @Test("Names and removal are the owner's; what a login rests on ends with the passkey", arguments: storages)
    func removal(storage: ContractStorage) async throws {
        let stage = try await ContractStage(storage)
        let (jeff, anna, now) = (stage.jeff, stage.anna, stage.now)
        let passkey = try Self.passkey(stage, of: jeff)
        let name = try #require(DeviceName("work"))
        let login = RequestAuthorization.Evidence(authenticatedAt: now, registrations: [passkey.id])
        let early = RequestAuthorization.Evidence(authenticatedAt: now - .seconds(1), registrations: [passkey.id])
        let session = stage.browser(of: jeff, login)
        let grant = try stage.grant(of: jeff, in: session.id, login)
        let steps = try await stage.write { transaction throws(ServerTransactionFailure) in
            _ = try transaction.insert(passkey)
            try transaction.insert(session)
            try transaction.insert(grant)
            return [
                try transaction.rename(passkey.id, of: anna.id, to: name),
                try transaction.rename(passkey.id, of: jeff.id, to: name),
                try transaction.hasKey(behind: login, of: anna.id), try transaction.hasKey(behind: early, of: jeff.id),
                try transaction.hasKey(behind: login, of: jeff.id),
                try transaction.removePasskey(passkey.id, of: anna.id, at: now),
                try transaction.grant(grant.id) != nil, try transaction.browserSession(session.cookie) != nil,
                try transaction.removePasskey(passkey.id, of: jeff.id, at: now),
                try transaction.removePasskey(passkey.id, of: jeff.id, at: now),
                try transaction.hasKey(behind: login, of: jeff.id),
                try transaction.grant(grant.id) != nil, try transaction.browserSession(session.cookie) != nil,
            ]
        }
        #expect(
            steps == [
                false, true, false, false, true, false, true, true, true, false, false, false, false,
            ])
        let told = try await stage.read { snapshot throws(ServerTransactionFailure) in
            try snapshot.messages(.waiting, limit: 10).map(\.kind)
        }
        #expect(told == [.logout])
    }

    @Test("A password that is for the first key holds until the user has a passkey", arguments: storages)
    func firstKey(storage: ContractStorage) async throws {
        let stage = try await ContractStage(storage)
        let (jeff, passkey) = (stage.jeff, try Self.passkey(stage, of: stage.jeff))
        let login = RequestAuthorization.Evidence(authenticatedAt: stage.now, isForFirstKey: true)
        let holds = try await stage.write { transaction throws(ServerTransactionFailure) in
            let before = try transaction.holds(login, of: jeff)
            _ = try transaction.insert(passkey)
            return [before, try transaction.holds(login, of: jeff)]
        }
        #expect(holds == [true, false])
    }

    @Test(
        "The end of all logins passes the last use of a passkey, also of a process that is ahead", arguments: storages)
    func endOfAll(storage: ContractStorage) async throws {
        let stage = try await ContractStage(storage)
        let now = stage.now
        var ahead = try Self.passkey(stage, of: stage.jeff)
        ahead.usedAt = now + .seconds(90)
        let (jeff, passkey) = (stage.jeff.id, ahead)
        let user = try await stage.write { transaction throws(ServerTransactionFailure) in
            _ = try transaction.insert(passkey)
            try transaction.endLogins(of: jeff, at: now)
            return try transaction.user(jeff)
        }
        #expect(try #require(user).notBefore > now + .seconds(90))
    }

    @Test("A user has one open registration, which is taken once", arguments: storages)
    func offers(storage: ContractStorage) async throws {
        let stage = try await ContractStage(storage)
        let (jeff, anna) = (stage.jeff.id, stage.anna.id)
        let offers = [UInt8(1), 2].map { number in
            PasskeyOffer(
                userID: jeff, session: BrowserSessionID(from: stage.random), challenge: [number],
                expiresAt: stage.now + .seconds(300))
        }
        let (found, removed) = try await stage.write { transaction throws(ServerTransactionFailure) in
            for offer in offers { try transaction.set(offer) }
            let found = [try transaction.passkeyOffer(of: jeff), try transaction.passkeyOffer(of: anna)]
            return (
                found, [try transaction.removePasskeyOffer(of: jeff), try transaction.removePasskeyOffer(of: jeff)]
            )
        }
        #expect(found == [offers[1], nil] && removed == [true, false])
    }

    @Test(
        "A row that no passkey can have is a damaged row",
        arguments: [
            "public_key = $1", "model = $1", "transports = '[1]'", "transports = 'usb'", "attestation = 'strong'",
            "is_backup_eligible = 2", "sign_counter = 4294967296", "sign_counter = -1", "name = ''",
        ])
    func damage(change: String) async throws {
        let stage = try await ContractStage(.sqlite)
        let (jeff, passkey) = (stage.jeff.id, try Self.passkey(stage, of: stage.jeff))
        try await stage.write { transaction throws(ServerTransactionFailure) in _ = try transaction.insert(passkey) }
        try await #require(stage.planned).transaction { connection throws(ServerPersistenceError) in
            let garbage: [SQLValue] = change.contains("$1") ? [.blob([1, 2])] : []
            _ = try connection.execute(
                "UPDATE passkeys SET \(change) WHERE registration_id = $\(garbage.count + 1)",
                garbage + [.blob(passkey.id.octets)])
        }
        await #expect(throws: ServerError.storageUnavailable) {
            try await stage.read { snapshot throws(ServerTransactionFailure) in try snapshot.passkeys(of: jeff) }
        }
    }
}

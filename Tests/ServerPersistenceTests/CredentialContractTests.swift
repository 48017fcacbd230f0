import ServerCore
import TestSupport
import Testing
import UAF

/// Contract of the transaction port, kept by the storage and by the values in memory on which rules are tested.
@Suite("Users and credentials in a transaction, in memory, in SQLite and in PostgreSQL")
struct CredentialContractTests {
    @Test(
        "A user is found by identity and locked as the row stands; an unknown name is none",
        arguments: ContractStorage.allCases)
    func users(storage: ContractStorage) async throws {
        let stage = try await ContractStage(storage)
        let (jeff, stranger) = (stage.jeff, UserID(from: stage.random))
        let found = try await stage.write { transaction throws(ServerTransactionFailure) in
            [
                try transaction.user(jeff.id), try transaction.lockUser(jeff.id), try transaction.user(stranger),
                try transaction.lockUser(stranger),
            ]
        }
        #expect(found == [jeff, jeff, nil, nil])
        try await stage.lock(jeff)
        let locked = try await stage.write { transaction throws(ServerTransactionFailure) in
            try transaction.lockUser(jeff.id)
        }
        #expect(locked?.status == .locked)
    }

    @Test(
        "The end of logins ends the sessions of one user, and moves their time forward whatever the clock says",
        arguments: ContractStorage.allCases)
    func logins(storage: ContractStorage) async throws {
        let stage = try await ContractStage(storage)
        let (jeff, anna, now) = (stage.jeff, stage.anna, stage.now)
        let (own, other) = (stage.session(of: jeff, 1), stage.session(of: anna, 2))
        let before = try await stage.write { transaction throws(ServerTransactionFailure) in
            try transaction.insert(own)
            try transaction.insert(other)
            return [
                try transaction.hasSession(own.cookieHash), try transaction.hasSession(other.cookieHash),
                try transaction.hasSession(CookieHash(of: [3])),
            ]
        }
        #expect(before == [true, true, false])
        let times = try await stage.write { transaction throws(ServerTransactionFailure) in
            try transaction.endLogins(of: jeff.id, at: now)
            let first = try transaction.user(jeff.id)?.notBefore
            try transaction.endLogins(of: jeff.id, at: now - .seconds(60))
            return [first, try transaction.user(jeff.id)?.notBefore, try transaction.user(anna.id)?.notBefore]
        }
        #expect(times == [now + .milliseconds(1), now + .milliseconds(2), anna.notBefore])
        let after = try await stage.read { snapshot throws(ServerTransactionFailure) in
            try [(jeff, own), (anna, other)].map { user, session throws(ServerTransactionFailure) in
                guard let user = try snapshot.user(user.id) else { return false }
                return try snapshot.holds(session.evidence, of: user)
            }
        }
        #expect(after == [false, true])
    }

    @Test("A credential is found in every way, and added once", arguments: ContractStorage.allCases)
    func insertion(storage: ContractStorage) async throws {
        let stage = try await ContractStage(storage)
        let jeff = stage.jeff
        let added = try stage.credential(counter: 5)
        let again = try stage.credential(of: stage.anna, keyID: added.credential.id.keyID)
        let isAdded = try await stage.write { transaction throws(ServerTransactionFailure) in
            [try transaction.insert(added), try transaction.insert(again)]
        }
        #expect(isAdded == [true, false])
        let credential = added.credential
        let found = try await stage.read { snapshot throws(ServerTransactionFailure) in
            [
                try snapshot.credential(credential.id),
                try snapshot.credential(registeredAs: credential.registrationID),
                try snapshot.credential(registeredAs: again.credential.registrationID),
            ]
        }
        #expect(found == [credential, credential, nil])
        let lists = try await stage.read { snapshot throws(ServerTransactionFailure) in
            [
                try snapshot.credentials(withKey: credential.id.keyID), try snapshot.unassignedCredentials(of: jeff.id),
                try snapshot.holder(jeff.id)?.credentials ?? [],
            ]
        }
        #expect(lists == [[credential], [credential], [credential]])
    }

    @Test("What was not registered is not found, and counts nothing", arguments: ContractStorage.allCases)
    func absence(storage: ContractStorage) async throws {
        let stage = try await ContractStage(storage)
        let (anna, stranger, missing) = (stage.anna, UserID(from: stage.random), try stage.credential().credential)
        let own = try stage.credential()
        _ = try await stage.write { transaction throws(ServerTransactionFailure) in try transaction.insert(own) }
        let holders = try await stage.read { snapshot throws(ServerTransactionFailure) in
            [try snapshot.holder(anna.id), try snapshot.holder(stranger)]
        }
        #expect(holders == [CredentialHolder(user: anna, credentials: []), nil])
        let jeff = stage.jeff
        let counts = try await stage.read { snapshot throws(ServerTransactionFailure) in
            [try snapshot.credentialCount(of: jeff.id), try snapshot.credentialCount(of: anna.id)]
        }
        #expect(counts == [1, 0])
        let target = DispatchTargetID(from: stage.random)
        let lists = try await stage.read { snapshot throws(ServerTransactionFailure) in
            [
                try snapshot.credentials(withKey: missing.id.keyID), try snapshot.credentials(on: target),
                try snapshot.unassignedCredentials(of: anna.id),
            ]
        }
        #expect(lists.allSatisfy { $0.isEmpty })
        let found = try await stage.read { snapshot throws(ServerTransactionFailure) in
            try snapshot.credential(missing.id)
        }
        #expect(found == nil)
    }

    @Test("The oldest credential comes first, whatever the order of writing", arguments: ContractStorage.allCases)
    func order(storage: ContractStorage) async throws {
        let stage = try await ContractStage(storage)
        let (jeff, target) = (stage.jeff, try stage.target())
        let young = try stage.credential(registeredAt: stage.now + .seconds(9))
        let old = try stage.credential()
        let held = try [9, 1].map { try stage.credential(registeredAt: stage.now + .seconds($0), on: target.id) }
        let lists = try await stage.write { transaction throws(ServerTransactionFailure) in
            try transaction.insert(target)
            for credential in [young, old] + held { _ = try transaction.insert(credential) }
            return [try transaction.unassignedCredentials(of: jeff.id), try transaction.credentials(on: target.id)]
        }
        #expect(lists == [[old.credential, young.credential], [held[1].credential, held[0].credential]])
        let holder = try await stage.read { snapshot throws(ServerTransactionFailure) in try snapshot.holder(jeff.id) }
        let times = holder?.credentials.map(\.registeredAt) ?? []
        #expect(times.count == 4 && times == times.sorted())
    }

    @Test(
        "A login holds by an active credential of its user: by no other's, by none, and by none switched off",
        arguments: ContractStorage.allCases)
    func activeCredentials(storage: ContractStorage) async throws {
        let stage = try await ContractStage(storage)
        let (jeff, anna, credential) = (stage.jeff, stage.anna, try stage.credential())
        let registrations = [RegistrationID(from: stage.random), credential.credential.registrationID]
        let (login, other, none) = (
            RequestAuthorization.Evidence(authenticatedAt: stage.now, registrations: registrations),
            RequestAuthorization.Evidence(authenticatedAt: stage.now, registrations: [registrations[0]]),
            RequestAuthorization.Evidence(authenticatedAt: stage.now)
        )
        let answers = try await stage.write { transaction throws(ServerTransactionFailure) in
            _ = try transaction.insert(credential)
            return [
                try transaction.hasKey(behind: login, of: jeff.id), try transaction.hasKey(behind: login, of: anna.id),
                try transaction.hasKey(behind: other, of: jeff.id), try transaction.hasKey(behind: none, of: jeff.id),
            ]
        }
        #expect(answers == [true, false, false, true])
        try await stage.setStatus(.disabled, credential.credential)
        let holds = try await stage.read { snapshot throws(ServerTransactionFailure) in
            try snapshot.hasKey(behind: login, of: jeff.id)
        }
        #expect(!holds)
    }

    @Test(
        "SA-18: A key that is enabled again holds for logins from then on, and for none of before",
        arguments: ContractStorage.allCases)
    func enabledAgain(storage: ContractStorage) async throws {
        let stage = try await ContractStage(storage)
        let (jeff, credential) = (stage.jeff, try stage.credential())
        // The clock of another process is ahead.
        let (use, used) = (
            CeremonyOutcome.CredentialUse(registrationID: credential.credential.registrationID, signCounter: 0),
            stage.now + .seconds(2)
        )
        let isUsed = try await stage.write { transaction throws(ServerTransactionFailure) in
            _ = try transaction.insert(credential)
            return try transaction.record(use, at: used, loggedInAt: used)
        }
        #expect(isUsed)
        try await stage.setStatus(.disabled, credential.credential)
        try await stage.setStatus(.active, credential.credential)
        let found = try await stage.read { snapshot throws(ServerTransactionFailure) in
            (try snapshot.user(jeff.id), try snapshot.credential(credential.credential.id))
        }
        let (user, again) = (try #require(found.0), try #require(found.1))
        let now = user.authenticationTime(at: stage.now, with: [again])
        let answers = try await stage.write { transaction throws(ServerTransactionFailure) in
            var answers: [Bool] = []
            for time in [used, now] {
                let login = RequestAuthorization.Evidence(authenticatedAt: time, registrations: [again.registrationID])
                answers += [
                    try transaction.hasKey(behind: login, of: jeff.id),
                    try transaction.record(use, at: time, loggedInAt: time),
                ]
            }
            return answers
        }
        #expect(answers == [false, false, true, true])
    }
}

import ServerCore
import TestSupport
import Testing
import UAF

/// Contract of the transaction port, kept by the storage and by the values in memory on which rules are tested.
@Suite("Ends of ceremonies, audit and undoing in a transaction, in memory, in SQLite and in PostgreSQL")
struct CeremonyContractTests {
    private static let challenge = ChallengeHash(of: [1])

    /// Outcome of an in-band authentication of `jeff` with a key and a transaction.
    private func outcome(on stage: ContractStage, _ status: StatusCode = .ok) throws -> CeremonyOutcome {
        let credential = try stage.credential().credential
        var event = AuditEvent(.signedIn, at: stage.now, userID: stage.jeff.id)
        event.statusCode = status
        var outcome = CeremonyOutcome(
            challenge: Self.challenge, challengeExpiresAt: stage.now + .seconds(480), effect: .refuse(nil),
            event: event)
        var ending = OperationEnding(id: CeremonyID(from: stage.random), operation: .authentication)
        ending.userID = stage.jeff.id
        ending.asmStatus = .ok
        ending.clientErrorCode = .noError
        ending.isReported = true
        ending.credentials = [ProvedCredential(id: credential.id, registrationID: credential.registrationID)]
        ending.transaction = TransactionHash(of: [7])
        outcome.inBand = ending
        return outcome
    }

    private func end(of outcome: CeremonyOutcome, on stage: ContractStage) async throws -> EndedCeremony? {
        let id = try #require(outcome.inBand?.id)
        return try await stage.read { snapshot throws(ServerTransactionFailure) in try snapshot.endedCeremony(id) }
    }

    @Test("A challenge is consumed once, and what came first stays", arguments: ContractStorage.allCases)
    func consumption(storage: ContractStorage) async throws {
        let stage = try await ContractStage(storage)
        let (first, second) = (try outcome(on: stage), try outcome(on: stage, .unknownKeyID))
        let isConsumed = try await stage.write { transaction throws(ServerTransactionFailure) in
            [try transaction.consumeChallenge(of: first), try transaction.consumeChallenge(of: second)]
        }
        #expect(isConsumed == [true, false])
        #expect(try await end(of: first, on: stage) != nil)
        #expect(try await end(of: second, on: stage) == nil)
        let mark = try await stage.read { snapshot throws(ServerTransactionFailure) in
            try snapshot.consumptionWatermark()
        }
        #expect(mark == Timestamp(milliseconds: 0), "nothing was forgotten yet")
    }

    @Test("The status service is shown what the outcome says", arguments: ContractStorage.allCases)
    func success(storage: ContractStorage) async throws {
        let stage = try await ContractStage(storage)
        let outcome = try outcome(on: stage)
        #expect(try await end(of: outcome, on: stage) == nil, "it has not ended yet")
        _ = try await stage.write { transaction throws(ServerTransactionFailure) in
            try transaction.consumeChallenge(of: outcome)
        }
        let ended = try #require(await end(of: outcome, on: stage))
        #expect(ended.operation == .authentication && ended.userID == stage.jeff.id)
        let progress = ended.progress
        #expect(progress.status == .succeeded && progress.failure == nil)
        #expect(progress.changedAt == stage.now && progress.expiresAt == stage.now)
        let answer = try #require(progress.answer)
        #expect(answer.statusCode == .ok && answer.asmStatus == .ok && answer.clientErrorCode == .noError)
        #expect(answer.isReported && answer.transaction == TransactionHash(of: [7]))
        #expect(answer.credentials == outcome.inBand?.credentials)
    }

    @Test("A correction leaves nothing that was proved", arguments: ContractStorage.allCases)
    func correction(storage: ContractStorage) async throws {
        let stage = try await ContractStage(storage)
        let (outcome, other) = (try outcome(on: stage), ChallengeHash(of: [2]))
        let expiry = outcome.challengeExpiresAt
        try await stage.write { transaction throws(ServerTransactionFailure) in
            // Before there is anything to correct, and of another challenge: neither has an effect.
            try transaction.setStatus(.forbidden, ofCeremonyWith: Self.challenge, expiringAt: expiry)
            _ = try transaction.consumeChallenge(of: outcome)
            try transaction.setStatus(.forbidden, ofCeremonyWith: other, expiringAt: expiry)
        }
        #expect(try await end(of: outcome, on: stage)?.progress.status == .succeeded)
        try await stage.write { transaction throws(ServerTransactionFailure) in
            try transaction.setStatus(.unknownKeyID, ofCeremonyWith: Self.challenge, expiringAt: expiry)
        }
        let progress = try #require(await end(of: outcome, on: stage)).progress
        #expect(progress.status == .failed && progress.failure == .answered)
        let answer = try #require(progress.answer)
        #expect(answer.statusCode == .unknownKeyID && answer.credentials.isEmpty && answer.transaction == nil)
        #expect(answer.isReported)
    }

    @Test("A refusal ends as failed", arguments: ContractStorage.allCases)
    func refusal(storage: ContractStorage) async throws {
        let stage = try await ContractStage(storage)
        let outcome = try outcome(on: stage, .unacceptableContent)
        _ = try await stage.write { transaction throws(ServerTransactionFailure) in
            try transaction.consumeChallenge(of: outcome)
        }
        let progress = try await end(of: outcome, on: stage)?.progress
        #expect(progress?.status == .failed && progress?.answer?.statusCode == .unacceptableContent)
    }

    @Test("What a refusal undoes is gone with its record, everything else stays", arguments: ContractStorage.allCases)
    func undoing(storage: ContractStorage) async throws {
        let stage = try await ContractStage(storage)
        let (jeff, now) = (stage.jeff.id, stage.now)
        let refusals = try await stage.write { transaction throws(ServerTransactionFailure) in
            try transaction.append(AuditEvent(.signedIn, at: now))
            let refused = try transaction.undoingRefused { () throws(ServerTransactionFailure) -> String? in
                try transaction.note(.push, for: jeff, at: now)
                try transaction.append(AuditEvent(.sessionEnded, at: now))
                return "refused"
            }
            let kept = try transaction.undoingRefused { () throws(ServerTransactionFailure) -> String? in
                try transaction.note(.report, for: jeff, at: now)
                try transaction.append(AuditEvent(.deregistration, at: now))
                return nil
            }
            return [refused, kept]
        }
        #expect(refusals == ["refused", nil])
        let start = now - .seconds(1)
        let times = try await stage.read { snapshot throws(ServerTransactionFailure) in
            try [UserIncident.push, .report].map { incident throws(ServerTransactionFailure) in
                try snapshot.times(of: incident, for: jeff, after: start)
            }
        }
        #expect(times == [[], [now]])
        #expect(try await stage.records(of: .signedIn) == 1)
        #expect(try await stage.records(of: .sessionEnded) == 0)
        #expect(try await stage.records(of: .deregistration) == 1)
    }

    @Test("Of a body that fails nothing remains", arguments: ContractStorage.allCases)
    func failing(storage: ContractStorage) async throws {
        let stage = try await ContractStage(storage)
        let (jeff, now) = (stage.jeff, stage.now)
        await #expect(throws: ServerError.storageUnavailable) {
            try await stage.write { transaction throws(ServerTransactionFailure) in
                try transaction.endLogins(of: jeff.id, at: now)
                throw ServerTransactionFailure(FaultyDatabase.fault)
            }
        }
        let user = try await stage.read { snapshot throws(ServerTransactionFailure) in try snapshot.user(jeff.id) }
        #expect(user == jeff)
    }
}

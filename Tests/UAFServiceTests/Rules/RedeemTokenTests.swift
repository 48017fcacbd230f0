import ServerCore
import TestSupport
import Testing
import UAF
import UAFService

@Suite("Redeeming a token, without a database")
struct RedeemTokenTests {
    private let stage: RuleStage
    private var transaction: MemoryTransaction { stage.transaction }

    init() throws { stage = try RuleStage() }

    private func redeem(
        _ operation: OutOfBandCeremony, after time: Duration = .zero, removal: [CredentialID] = []
    ) throws -> RedeemRefusal? {
        var event = stage.event(.tokenRedeemed)
        event.at = stage.now + time
        return try RedeemToken(in: transaction, event: event)
            .redeem(operation.tokenHash, answerExpiresAt: event.at + .seconds(480), removal: removal)
    }

    @Test("It is exchanged once")
    func once() throws {
        let operation = try stage.operation()
        transaction.insert(operation)
        #expect(try redeem(operation) == nil)
        #expect(stage.status(operation) == .clientAuthenticating)
        #expect(try redeem(operation) == .alreadyRedeemed)
        #expect(transaction.kinds == [.tokenRedeemed, .redeemRefused])
    }

    @Test("One that comes back too late is written down as such")
    func late() throws {
        let operation = try stage.operation()
        transaction.insert(operation)
        #expect(try redeem(operation, after: .seconds(120)) == .expired)
        #expect(stage.status(operation) == .failed)
        #expect(transaction.kinds == [.tokenTimedOut, .redeemRefused])
    }

    @Test("Of an unnamed code there is no record, whether it is exchanged, comes again or too late")
    func unnamed() throws {
        let operation = try stage.strangersCode()
        transaction.insert(operation)
        #expect(try redeem(operation) == nil)
        #expect(try redeem(operation) == .alreadyRedeemed)
        let late = try stage.strangersCode()
        transaction.insert(late)
        #expect(try redeem(late, after: .seconds(120)) == .expired)
        #expect(stage.status(late) == .failed && transaction.kinds.isEmpty)
    }

    @Test("The token of before is exchanged until its own end")
    func previous() throws {
        let first = try stage.strangersCode()
        let next = try stage.strangersCode()
        var (early, long) = (first.renewed(by: next), next)
        early.previousToken = .init(hash: first.tokenHash, expiresAt: stage.now + .seconds(60))
        long.progress.expiresAt = stage.now + .seconds(180)
        transaction.insert(early)
        #expect(try redeem(first, after: .seconds(60)) == .expired)
        #expect(stage.status(early) == .tokenCreated)
        #expect(try redeem(first, after: .seconds(59)) == nil)
        #expect(try redeem(next) == .alreadyRedeemed)
        transaction.state.operations = [early.renewed(by: long)]
        #expect(try redeem(first) == .unknown)
        #expect(try redeem(next, after: .seconds(119)) == nil)
    }

    @Test("A locked user, and one whose login was ended, get nothing")
    func user() throws {
        let operation = try stage.operation(evidence: stage.grant().evidence)
        transaction.insert(operation)
        stage.setUser(.locked)
        #expect(try redeem(operation) == .userInactive)
        stage.setUser(notBefore: stage.now + .milliseconds(1))
        #expect(try redeem(operation) == .loginEnded)
        #expect(stage.status(operation) == .tokenCreated)
        stage.setUser(notBefore: stage.now)
        #expect(try redeem(operation) == nil)
    }

    @Test("A login holds while one of its keys does, and one for the first key while there is none")
    func evidence() throws {
        let key = try stage.addCredential()
        let byKey = try stage.operation(evidence: stage.grant(by: [key.registrationID]).evidence)
        let first = RequestAuthorization.Evidence(authenticatedAt: stage.now, isForFirstKey: true)
        let forFirstKey = try stage.operation(.registration, evidence: first)
        for operation in [byKey, forFirstKey] { transaction.insert(operation) }
        #expect(try redeem(forFirstKey) == .loginEnded)
        transaction.state.credentials = [key.changed(status: .disabled)]
        #expect(try redeem(byKey) == .loginEnded)
        transaction.state.credentials = [key]
        #expect(try redeem(byKey) == nil)
        transaction.state.credentials = []
        #expect(try redeem(forFirstKey) == nil)
    }

    @Test("A deregistration removes the keys, and with the last one on a device its target")
    func deregistration() throws {
        let target = try stage.addTarget(on: SyntheticDevice())
        let keys = try (0..<2).map { _ in try stage.addCredential(on: target.id) }
        let operation = try stage.operation(.deregistration)
        let waiting = try stage.operation(for: target.id)
        for operation in [operation, waiting] { transaction.insert(operation) }
        #expect(try redeem(operation, removal: keys.map(\.id)) == nil)
        #expect(transaction.state.credentials.isEmpty && transaction.state.targets.isEmpty)
        #expect(stage.status(operation) == .succeeded && stage.status(waiting) == .failed)
        #expect(
            transaction.kinds == [
                .deregistration, .deregistration, .operationCancelled, .targetDeleted, .tokenRedeemed,
            ])
    }
}

import TestSupport
import Testing
import UAF

@testable import ServerCore
@testable import UAFService

@Suite("The query for a status, without a database")
struct StatusQueryTests {
    private let stage: RuleStage
    private let credential: RegisteredCredential
    private let operation: OutOfBandCeremony
    private var transaction: MemoryTransaction { stage.transaction }

    init() throws {
        stage = try RuleStage()
        credential = try stage.addCredential()
        operation = try stage.operation()
        stage.transaction.insert(operation)
        var progress = operation.progress
        progress.status = .succeeded
        progress.answer = CeremonyProgress.Answer(
            statusCode: .ok,
            credentials: [ProvedCredential(id: credential.id, registrationID: credential.registrationID)])
        #expect(stage.transaction.advance(operation, to: progress, answeredBy: nil))
    }

    private func holds() throws -> Bool? {
        try StatusQuery(snapshot: transaction).operation(operation.id)?.holds
    }

    @Test("A success holds while user, key and logins are what they were")
    func holding() throws {
        #expect(try holds() == true)
        transaction.state.credentials = [credential.changed(status: .disabled)]
        #expect(try holds() == false)
        transaction.state.credentials = []
        #expect(try holds() == false)
        transaction.state.credentials = [credential]
        stage.setUser(.locked)
        #expect(try holds() == false)
        stage.setUser(notBefore: stage.now + .milliseconds(1))
        #expect(try holds() == false)
        stage.setUser()
        #expect(try holds() == true)
        transaction.state.operations = []
        #expect(try holds() == nil)
    }

    @Test("The end of an in-band ceremony is found, with what it has proved")
    func inBand() throws {
        let id = CeremonyID(from: stage.random)
        var event = stage.event(.signedIn)
        event.statusCode = .ok
        let use = CeremonyOutcome.CredentialUse(registrationID: credential.registrationID, signCounter: 0)
        var outcome = CeremonyOutcome(
            challenge: ChallengeHash(of: [1]), challengeExpiresAt: stage.now + .seconds(480),
            effect: .authenticate([use], session: nil), event: event)
        var ending = OperationEnding(id: id, operation: .authentication)
        ending.userID = stage.user.id
        outcome.inBand = ending
        #expect(try StatusQuery(snapshot: transaction).answered(id) == nil)
        #expect(try EndCeremony(in: transaction, outcome).commit() == .committed)
        let answered = try #require(try StatusQuery(snapshot: transaction).answered(id))
        #expect(answered.holds && answered.user == stage.user && answered.progress.status == .succeeded)
    }
}

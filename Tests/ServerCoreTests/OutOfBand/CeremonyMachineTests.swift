import ServerCore
import Testing
import UAF

@Suite("Ceremony machine (backend-http-api 3)")
struct CeremonyMachineTests {
    private let start = Timestamp(seconds: 1_000)

    private func machine(_ operation: OperationKind, at now: Timestamp? = nil) -> CeremonyMachine {
        let progress = CeremonyProgress(tokenCreatedAt: start, expiresAt: start + .seconds(120))
        return CeremonyMachine(operation, progress, at: now ?? start)
    }

    @Test(
        "Redeeming leads to the state of the operation",
        arguments: [
            (OperationKind.registration, CeremonyProgress.Status.clientRegistering),
            (.authentication, .clientAuthenticating), (.deregistration, .succeeded),
        ])
    func redeeming(operation: OperationKind, status: CeremonyProgress.Status) throws {
        var machine = machine(operation)
        try machine.redeem(at: start, answerExpiresAt: start + .seconds(480))
        #expect(machine.progress.status == status && machine.progress.tokenResult == .tokenRedeemed)
        #expect(throws: RedeemRefusal.alreadyRedeemed) {
            try machine.redeem(at: start, answerExpiresAt: start + .seconds(480))
        }
    }

    @Test("A time-out takes effect at its time, written down or not")
    func timeout() throws {
        var late = machine(.authentication, at: start + .seconds(120))
        #expect(late.progress.status == .failed && late.progress.tokenResult == .tokenTimedOut)
        #expect(late.progress.changedAt == start + .seconds(120))
        #expect(throws: RedeemRefusal.expired) { try late.redeem(at: start, answerExpiresAt: start) }
        var machine = machine(.authentication, at: start + .milliseconds(119_999))
        try machine.redeem(at: start, answerExpiresAt: start + .seconds(480))
        let silent = CeremonyMachine(.authentication, machine.progress, at: start + .seconds(480))
        #expect(silent.progress.failure == .timedOut && silent.progress.tokenResult == .tokenRedeemed)
    }

    @Test("Nothing changes a final state")
    func finality() throws {
        var machine = machine(.authentication)
        #expect(throws: CommitRefusal.operationEnded) { try machine.succeed(.init(statusCode: .ok), at: start) }
        try machine.redeem(at: start, answerExpiresAt: start + .seconds(480))
        try machine.succeed(.init(statusCode: .ok), at: start)
        let succeeded = machine.progress
        machine.cancel(.superseded, at: start)
        #expect(throws: CommitRefusal.operationEnded) { try machine.fail(.init(statusCode: .ok), at: start) }
        #expect(machine.progress == succeeded)
        let later = CeremonyMachine(.authentication, succeeded, at: start + .seconds(100_000))
        #expect(later.progress == succeeded)
    }

    @Test("What was called off cannot be redeemed")
    func cancelling() {
        var machine = machine(.authentication)
        machine.cancel(.superseded, at: start)
        #expect(machine.progress.status == .failed && machine.progress.tokenResult == nil)
        #expect(throws: RedeemRefusal.cancelled) { try machine.redeem(at: start, answerExpiresAt: start) }
    }
}

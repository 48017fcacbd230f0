import BackendAPI
import DeviceAttestation
import ServerCore
import TestSupport
import Testing
import UAF
import UAFService

@Suite("The end of a ceremony, without a database")
struct EndCeremonyTests {
    private let stage: RuleStage
    private var transaction: MemoryTransaction { stage.transaction }

    init() throws { stage = try RuleStage() }

    private func outcome(
        _ effect: CeremonyOutcome.Effect, _ kind: AuditEvent.Kind = .signedIn, challenge: UInt8 = 1
    ) -> CeremonyOutcome {
        var event = stage.event(kind)
        event.statusCode = .ok
        return CeremonyOutcome(
            challenge: ChallengeHash(of: [challenge]), challengeExpiresAt: stage.now + .seconds(480), effect: effect,
            event: event)
    }

    private func use(_ credential: RegisteredCredential, _ counter: UInt32) -> CeremonyOutcome.Effect {
        .authenticate(
            [CeremonyOutcome.CredentialUse(registrationID: credential.registrationID, signCounter: counter)],
            session: nil)
    }

    private func end(_ outcome: CeremonyOutcome) throws -> CommitResult {
        try EndCeremony(in: transaction, outcome).commit()
    }

    @Test("An authentication moves the counter and is recorded; the same challenge changes nothing again")
    func authentication() throws {
        let credential = try stage.addCredential(counter: 5)
        #expect(try end(outcome(use(credential, 6))) == .committed)
        #expect(try end(outcome(use(credential, 7))) == .refused(.challengeUsed))
        #expect(transaction.credential(credential.id)?.counters.signatures == 6)
        #expect(transaction.kinds == [.signedIn])
        transaction.state.watermark = stage.now + .seconds(481)
        #expect(try end(outcome(use(credential, 7), challenge: 2)) == .refused(.challengeForgotten))
        #expect(transaction.state.consumed.count == 1)
    }

    @Test("The reason why a use is refused is found, and consumes")
    func reasons() throws {
        let credential = try stage.addCredential(counter: 5)
        #expect(try end(outcome(use(credential, 5), challenge: 1)) == .refused(.counterNotGreater))
        stage.setUser(notBefore: stage.now + .milliseconds(1))
        #expect(try end(outcome(use(credential, 6), challenge: 2)) == .refused(.loginEnded))
        transaction.state.credentials = [credential.changed(status: .disabled)]
        #expect(try end(outcome(use(credential, 6), challenge: 3)) == .refused(.credentialDisabled))
        stage.setUser(.locked)
        #expect(try end(outcome(use(credential, 6), challenge: 4)) == .refused(.userInactive))
        transaction.state.credentials = []
        #expect(try end(outcome(use(credential, 6), challenge: 5)) == .refused(.credentialRemoved))
        #expect(transaction.state.consumed.count == 5)
        #expect(transaction.kinds == [.cloneSuspected] + Array(repeating: .authenticationFailed, count: 4))
    }

    @Test("A registration that is refused leaves no target, and says so to who asks for the status")
    func registration() throws {
        try stage.addCredential()
        let target = try stage.target(on: SyntheticDevice())
        var outcome = outcome(.register([], of: stage.user.id, limit: 0), .registrationSucceeded)
        outcome.target = .new(target, limit: 5)
        outcome.inBand = OperationEnding(id: CeremonyID(from: stage.random), operation: .registration)
        #expect(try end(outcome) == .refused(.tooManyCredentials))
        #expect(Set(transaction.locked) == [stage.user.id])
        #expect(transaction.state.targets.isEmpty)
        #expect(transaction.state.corrected == [outcome.challenge: .forbidden])
        #expect(transaction.kinds == [.registrationFailed])
    }

    @Test("A target of a name that is taken gets a number; one more than allowed is refused")
    func targets() throws {
        let device = try SyntheticDevice()
        _ = try stage.addTarget(on: device)
        for (number, challenge) in [UInt8(1), 2].enumerated() {
            var outcome = outcome(
                .register([], of: stage.user.id, limit: 5), .registrationSucceeded, challenge: challenge)
            outcome.target = .new(try stage.target(on: device), limit: 2)
            #expect(try end(outcome) == (number == 0 ? .committed : .refused(.tooManyTargets)))
        }
        #expect(transaction.state.targets.map(\.name.text) == ["phone", "phone (2)"])
        #expect(transaction.kinds == [.targetCreated, .registrationSucceeded, .registrationFailed])
    }

    @Test("An assertion that came before is refused when a second response with it is written, and undoes the use")
    func replayedAssertion() throws {
        let credential = try stage.addCredential(counter: 5)
        let key = AppAttestKey(
            publicKey: [4], keyID: [UInt8](repeating: 9, count: 32), application: "T.a", environment: .production,
            receipt: [], counter: 0)
        let id = try #require(AppAttestKeyID(stored: key.keyID))
        let statements: [(AttestedApplication, CommitResult)] = [
            (.newAppleKey(key), .committed), (.appleKey(id, counter: 3), .committed),
            (.appleKey(id, counter: 3), .refused(.assertionReplayed)),
            (.newAppleKey(key), .refused(.attestedKeyExists)), (.appleKey(id, counter: 4), .committed),
        ]
        for (index, (application, result)) in statements.enumerated() {
            var outcome = outcome(use(credential, 6 + UInt32(index)), challenge: UInt8(index))
            outcome.application = application
            #expect(try end(outcome) == result)
        }
        #expect(transaction.appAttestKey(id)?.counter == 4)
        #expect(transaction.attestation(of: credential.registrationID) == .appleKey(id))
        #expect(
            transaction.kinds == [
                .appAttested, .signedIn, .signedIn, .appAttestationFailed,
                .appAttestationFailed, .signedIn,
            ])
        #expect(transaction.credential(credential.id)?.counters.signatures == 10)
    }

    @Test("Wrong digits fail the operation, and count against the user only when the device has sent them")
    func digits() throws {
        let link = ChannelLink(mode: .typed, digits: "42", salt: [1])
        let credential = try stage.addCredential()
        let proofs: [EventProof] = [.unsigned, .userKey(credential.registrationID)]
        for (challenge, proof) in zip([UInt8(1), 2], proofs) {
            let operation = try redeemed(link)
            var ending = OperationEnding(id: operation.id, operation: .authentication)
            ending.digits = "41"
            ending.proof = proof
            var outcome = outcome(use(credential, 0), challenge: challenge)
            outcome.operation = ending
            #expect(try end(outcome) == .refused(.channelNotLinked))
            #expect(stage.status(operation) == .failed)
        }
        #expect(transaction.state.incidents.map(\.incident) == [.wrongDigits, .wrongDigitsInRow])
        #expect(transaction.kinds.filter { $0 == .channelNotLinked }.count == 2)
    }

    @Test("SRV-24: Wrong digits that stop operations of strangers, and then of systems, are told of once each")
    func throttled() throws {
        let link = ChannelLink(mode: .typed, digits: "42", salt: [1])
        let credential = try stage.addCredential()
        for number in UInt8(1)...5 {
            let operation = try redeemed(link, isByStranger: number < 3)
            var ending = OperationEnding(id: operation.id, operation: .authentication)
            ending.digits = "41"
            ending.proof = .userKey(credential.registrationID)
            var outcome = outcome(use(credential, 0), challenge: number)
            outcome.operation = ending
            #expect(try end(outcome) == .refused(.channelNotLinked))
            let told = transaction.state.audit.filter { $0.kind == .userThrottled }
            let reasons =
                number < 3 ? [] : number < 5 ? ["strangers-wrong-digits"] : ["strangers-wrong-digits", "wrong-digits"]
            #expect(told.map(\.reason) == reasons)
        }
        #expect(transaction.locked.count == 5)
    }

    @Test("A hundred wrong digits in a row disable the key that has signed them, and a success begins the row anew")
    func digitsInRow() throws {
        let link = ChannelLink(mode: .typed, digits: "42", salt: [1])
        let credential = try stage.addCredential()
        func answer(_ digits: String, _ challenge: Int) throws -> CommitResult {
            let operation = try redeemed(link)
            var ending = OperationEnding(id: operation.id, operation: .authentication)
            ending.digits = digits
            ending.proof = .userKey(credential.registrationID)
            var outcome = outcome(use(credential, UInt32(challenge)), challenge: UInt8(challenge))
            outcome.operation = ending
            return try end(outcome)
        }
        for challenge in 1...99 { #expect(try answer("41", challenge) == .refused(.channelNotLinked)) }
        #expect(try answer("42", 100) == .committed)
        for challenge in 101...199 { #expect(try answer("41", challenge) == .refused(.channelNotLinked)) }
        #expect(transaction.credential(credential.id)?.status == .active)
        #expect(try answer("41", 200) == .refused(.channelNotLinked))
        #expect(transaction.credential(credential.id)?.status == .disabled)
        #expect(transaction.kinds.contains(.credentialDisabled))
        #expect(transaction.state.incidents.allSatisfy { $0.incident == .wrongDigits })
    }

    @Test("A success ends the operation and forgets the pushes; the operation is answered once")
    func operation() throws {
        let credential = try stage.addCredential()
        transaction.note(.push, for: stage.user.id, at: stage.now)
        let operation = try redeemed(nil)
        var outcome = outcome(use(credential, 0))
        outcome.operation = OperationEnding(id: operation.id, operation: .authentication)
        #expect(try end(outcome) == .committed)
        #expect(stage.status(operation) == .succeeded)
        #expect(transaction.state.incidents.isEmpty)
        var second = self.outcome(use(credential, 0), challenge: 2)
        second.operation = outcome.operation
        #expect(try end(second) == .refused(.operationEnded))
        #expect(stage.status(operation) == .succeeded)
    }

    /// An operation that waits for the response.
    private func redeemed(_ link: ChannelLink?, isByStranger: Bool = false) throws -> OutOfBandCeremony {
        var operation = try stage.operation(link: link)
        operation.isByStranger = isByStranger
        transaction.insert(operation)
        let refusal = try RedeemToken(in: transaction, event: stage.event(.tokenRedeemed))
            .redeem(operation.tokenHash, answerExpiresAt: stage.now + .seconds(480), removal: [])
        #expect(refusal == nil)
        return operation
    }
}

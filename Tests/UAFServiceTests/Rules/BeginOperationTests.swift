import ServerCore
import TestSupport
import Testing
import UAF
import UAFService

@Suite("Beginning an operation, without a database")
struct BeginOperationTests {
    private let stage: RuleStage
    private var transaction: MemoryTransaction { stage.transaction }

    init() throws { stage = try RuleStage() }

    private func begin(
        _ operation: OutOfBandCeremony, renewing old: CeremonyID? = nil, at time: Timestamp? = nil,
        limits: (inout OperationLimits) -> Void = { _ in },
        with companion: (CeremonyID) throws(ServerTransactionFailure) -> Bool = { _ in true }
    ) throws -> BeginResult {
        var settings = OperationLimits()
        limits(&settings)
        var event = stage.event(.tokenCreated)
        event.at = time ?? stage.now
        return try BeginOperation(in: transaction, limits: settings, event: event)
            .begin(operation, renewing: old, with: companion)
    }

    @Test("It is written with its record, after the user was locked")
    func begun() throws {
        let operation = try stage.operation()
        #expect(try begin(operation) == .begun(superseded: []))
        #expect(transaction.locked == [stage.user.id])
        #expect(transaction.operation(operation.id) == operation)
        #expect(transaction.kinds == [.tokenCreated])
    }

    @Test("For a locked user there is nothing but the record of the refusal")
    func locked() throws {
        stage.setUser(.locked)
        #expect(try begin(try stage.operation(isPush: true)) == .userInactive)
        #expect(transaction.state.operations.isEmpty && transaction.state.incidents.isEmpty)
        #expect(transaction.state.audit.map(\.reason) == ["userInactive"])
    }

    @Test("What it takes the place of is called off, unless it does not begin after all")
    func superseding() throws {
        let first = try stage.operation(isPush: true)
        #expect(try begin(first) == .begun(superseded: []))
        let lost = try stage.operation(isPush: true, for: DispatchTargetID(from: stage.random))
        #expect(try begin(lost) == .targetGone)
        #expect(stage.status(first) == .tokenCreated)
        #expect(transaction.kinds == [.tokenCreated, .dispatchRefused])
        #expect(transaction.state.incidents.count == 1, "a push that did not begin does not count")
        #expect(try begin(try stage.operation(isPush: true)) == .begun(superseded: [first.id]))
        #expect(stage.status(first) == .failed)
        #expect(transaction.kinds.suffix(2) == [.operationSuperseded, .tokenCreated])
    }

    @Test("The third push in a row waits, the sixth in a window waits for its end, a link never")
    func limits() throws {
        for _ in 0..<2 { _ = try begin(try stage.operation(isPush: true)) }
        #expect(try begin(try stage.operation(isPush: true)) == .backingOff(until: stage.now + .seconds(15)))
        let later = stage.now + .seconds(15)
        #expect(try begin(try stage.operation(isPush: true), at: later) != .backingOff(until: later))
        let full = try begin(try stage.operation(isPush: true), at: later) { limits in
            limits.pushes = 3
            limits.backOff.firstWait = .zero
        }
        #expect(full == .throttled(until: stage.now + .seconds(600)))
        #expect(try begin(try stage.operation()) == .begun(superseded: []))
    }

    @Test("An unnamed code is renewed in its row while it waits, and has no record")
    func renewal() throws {
        let first = try stage.strangersCode()
        #expect(try begin(first) == .begun(superseded: []))
        let next = try stage.strangersCode()
        #expect(try begin(next, renewing: first.id, at: stage.now + .seconds(60)) == .renewed(first.id))
        let renewed = try #require(transaction.state.operations.first)
        #expect(transaction.state.operations.count == 1 && transaction.kinds.isEmpty)
        #expect(renewed.id == first.id && renewed.tokenHash == next.tokenHash)
        #expect(renewed.previousToken == .init(hash: first.tokenHash, expiresAt: first.progress.expiresAt))
        var taken = renewed.progress
        taken.status = .clientAuthenticating
        #expect(transaction.advance(renewed, to: taken, answeredBy: nil))
        #expect(try begin(try stage.strangersCode(), renewing: first.id) == .busy(until: taken.expiresAt))
        let later = taken.expiresAt
        #expect(try begin(try stage.strangersCode(), renewing: first.id, at: later) == .begun(superseded: []))
        #expect(transaction.state.operations.count == 2 && transaction.kinds.isEmpty)
    }

    @Test("What is written with it names it; when that has gone on without it, nothing begins and nothing is renewed")
    func companion() throws {
        let (first, next) = (try stage.strangersCode(), try stage.strangersCode())
        var named: [CeremonyID] = []
        func begin(_ code: OutOfBandCeremony, renewing old: CeremonyID? = nil, goesOn: Bool) throws -> BeginResult {
            try self.begin(
                code, renewing: old,
                with: { id in
                    named.append(id)
                    return goesOn
                })
        }
        #expect(try begin(first, goesOn: false) == .overtaken)
        #expect(transaction.state.operations.isEmpty && named == [first.id])
        #expect(try begin(first, goesOn: true) == .begun(superseded: []))
        #expect(try begin(next, renewing: first.id, goesOn: false) == .overtaken)
        #expect(transaction.state.operations.map(\.tokenHash) == [first.tokenHash])
        #expect(try begin(next, renewing: first.id, goesOn: true) == .renewed(first.id))
        #expect(transaction.state.operations.map(\.tokenHash) == [next.tokenHash])
        #expect(named == [first.id, first.id, first.id, first.id] && transaction.kinds.isEmpty)
    }

    @Test("What names a user, or belongs to another system or session, is not renewed: another ceremony begins")
    func notRenewable() throws {
        let named = try stage.operation()
        transaction.insert(named)
        var other = try stage.strangersCode()
        other.session = InitiatorSessionHash(of: "another page".utf8)
        for (old, next) in [(named.id, try stage.strangersCode()), (other.id, try stage.strangersCode())] {
            transaction.insert(other)
            #expect(try begin(next, renewing: old) == .begun(superseded: []))
            #expect(transaction.operation(next.id) == next)
        }
    }

    @Test("A push of a stranger that is refused has no record: it is counted")
    func refusedStranger() throws {
        stage.setUser(.locked)
        var push = try stage.operation(isPush: true)
        push.isByStranger = true
        #expect(try begin(push) == .userInactive)
        #expect(transaction.kinds.isEmpty)
    }

    @Test("In quiet hours nothing is pushed")
    func quietHours() throws {
        let quiet = QuietHours(from: 0, to: 1_439)
        let result = try begin(try stage.operation(isPush: true)) { $0.quietHours = quiet }
        let end = try #require(quiet?.end(at: stage.now))
        #expect(result == .quiet(until: end))
        #expect(try begin(try stage.operation()) { $0.quietHours = quiet } == .begun(superseded: []))
    }
}

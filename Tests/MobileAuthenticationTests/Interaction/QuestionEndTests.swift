import Foundation
import Synchronization
import Testing

@testable import MobileAuthentication
@testable import UAFClient

@Suite("A question that is over is over for the application too")
struct QuestionEndTests {
    /// Whether something has happened.
    private final class Flag: Sendable {
        private let state = Mutex(false)

        var isSet: Bool { state.withLock { $0 } }

        func set() { state.withLock { $0 = true } }

        /// Waits until it is set; the test ends with its time limit when it never is.
        func wait() async { while !isSet, !Task.isCancelled { await Task.yield() } }
    }

    /// Waits for ever, unless its task is canceled.
    private static func wait(asked: Flag, ended: Flag) async throws -> Never {
        asked.set()
        while !Task.isCancelled { await Task.yield() }
        ended.set()
        throw CancellationError()
    }

    @Test(
        "N-L6: the closure of a question whose time is up is canceled; one that answers in time is not",
        .timeLimit(.minutes(1)))
    func timeOut() async throws {
        let phone = try await TestPhone()
        try await phone.register()
        let person = await TestUser()
        let operation = phone.client.operations.authentication.username("jeff").authenticatorSelector(person)
        let wasCanceled = Flag()
        _ = try await phone.client.operations.authentication.username("jeff").authenticatorSelector(person)
            .pinUserVerifier(
                PinUserVerification.async { _ in
                    if Task.isCancelled { wasCanceled.set() }
                    return SecretBytes("482915")
                }
            ).perform()
        #expect(!wasCanceled.isSet)

        let (asked, ended) = (Flag(), Flag())
        let end = Task {
            try await operation.pinUserVerifier(
                PinUserVerification.async { _ in try await Self.wait(asked: asked, ended: ended) }
            ).perform()
        }
        await asked.wait()
        await phone.clock.advance(by: .seconds(240))
        let error = await #expect(throws: AuthenticationError.self) { try await end.value }
        #expect(error?.fidoErrorCode == .userNotResponsive)
        await ended.wait()
    }

    @Test("N-L6: the closure of a question whose operation is canceled is canceled", .timeLimit(.minutes(1)))
    func cancellation() async throws {
        let phone = try await TestPhone()
        let (asked, ended) = (Flag(), Flag())
        let operation = phone.client.operations.registration.username("jeff")
            .deviceInformation(DeviceInformation(name: "phone"))
            .authenticatorSelector(
                AuthenticatorSelection.async { _ in try await Self.wait(asked: asked, ended: ended) }
            ).pinEnroller(await TestUser())
        let end = Task { try await operation.perform() }
        await asked.wait()
        operation.cancel()
        let error = await #expect(throws: OperationError.self) { try await end.value }
        #expect(error?.isUserCancellation == true)
        await ended.wait()
    }

    @Test("N-L6: a handler tells once that its question is over, however it ended", .timeLimit(.minutes(1)))
    func handlers() async throws {
        for ending in 0..<4 {
            let clock = ManualClock()
            let dialog = UserDialog(clock: clock, patience: .seconds(240))
            let (kept, asked, over) = (Kept<AnswerHandler<String>>(), Flag(), Flag())
            let question = Task {
                let _: UserAnswer<String> = await dialog.ask(QuestionLimit(expiry: nil)) { slot in
                    let handler = AnswerHandler(slot)
                    handler.onEnd {
                        #expect(!over.isSet)
                        over.set()
                    }
                    if ending > 0 { kept.keep(handler) }
                    asked.set()
                }
            }
            await asked.wait()
            switch ending {
            case 1: kept.handler?.aaid("F1D0#1001")
            case 2: await clock.advance(by: .seconds(240))
            case 3: question.cancel()
            default: break
            }
            await question.value
            await over.wait()
            kept.handler?.cancel()
            let late = Flag()
            kept.handler?.onEnd { late.set() }
            if ending > 0 { await late.wait() }
        }
    }

    /// A verifier that begins a sign-in and waits for it before it answers.
    private func nested(in phone: TestPhone, of other: TestPhone) async throws -> (any Error)? {
        let inner = Kept<any Error>()
        let person = await TestUser()
        _ = try await phone.client.operations.authentication.username("jeff").authenticatorSelector(person)
            .pinUserVerifier(
                PinUserVerification.async { _ in
                    do {
                        _ = try await other.authenticate()
                    } catch {
                        inner.keep(error)
                    }
                    return SecretBytes("482915")
                }
            ).perform()
        return inner.handler
    }

    @Test(
        "N-L7: an operation begun while a question waits for its task fails at once; beside another phone it runs",
        .timeLimit(.minutes(1)))
    func nested() async throws {
        let (phone, other) = (try await TestPhone(), try await TestPhone())
        try await phone.register()
        try await other.register()
        #expect(try await nested(in: phone, of: other) == nil)
        let error = try await nested(in: phone, of: phone) as? AuthenticationError
        #expect(error?.cause is NestedOperationError)
        #expect(error?.errorDescription == NestedOperationError().errorDescription)
        _ = try await phone.authenticate()
    }

    @Test("N-L7: one that is begun after the answer waits for the other's end, and runs", .timeLimit(.minutes(1)))
    func afterAnswer() async throws {
        let phone = try await TestPhone()
        try await phone.register()
        let second = Kept<Task<Void, any Error>>()
        let person = await TestUser()
        let verifier = AnswerThenBegin { handler in
            handler.verify("482915")
            second.keep(Task { _ = try await phone.authenticate() })
        }
        _ = try await phone.client.operations.authentication.username("jeff").authenticatorSelector(person)
            .pinUserVerifier(verifier).perform()
        try await second.handler?.value
    }
}

/// Verifier that does with its handler what a closure says.
private struct AnswerThenBegin: PinUserVerifier {
    let act: @MainActor (any PinUserVerificationHandler) -> Void

    func verifyPin(context: any PinUserVerificationContext, handler: any PinUserVerificationHandler) { act(handler) }
}

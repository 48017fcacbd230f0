import HardwareKeys
import LocalAuthentication
import Security
import Testing

@testable import HardwareKeysApple

@Suite("Contexts that several tasks share")
struct AuthenticatedContextTests {
    private func question(_ gate: UserGate) throws -> EnclaveQuestion {
        EnclaveQuestion(context: AuthenticatedContext(PresencePrompt(reason: "Sign in")), gate: gate)
    }

    /// A context and what it asks, which each task may hold.
    private struct EnclaveQuestion: Sendable {
        let context: AuthenticatedContext
        let gate: UserGate

        func ask() async -> UserPresenceError? {
            guard let control = try? EnclaveAccess.control(behind: gate) else { return .unavailable }
            return await context.evaluate(control, reason: "Sign in")
        }
    }

    @Test("Many tasks use one context that a user passed; he was asked once, and nothing is asked any more")
    func sharedUse() async throws {
        try await onDevice { device, vault in
            let (key, proof) = try await vault.keyBehind(.biometryAny)
            let signatures = try await withThrowingTaskGroup(of: [UInt8].self) { group in
                for number in 0..<50 {
                    group.addTask { try await vault.sign([UInt8(number)], with: key, authorizedBy: proof) }
                }
                return try await group.reduce(into: 0) { count, signature in count += signature.isEmpty ? 0 : 1 }
            }
            #expect(signatures == 50)
            #expect(device.with { $0.questions.count } == 1)
        }
    }

    @Test("A passed context asks nothing by itself afterwards")
    func silence() async throws {
        try await onDevice { _, _ in
            let question = try question(.userPresence)
            #expect(!question.context.context.interactionNotAllowed)
            let refusal = await question.ask()
            #expect(refusal == nil)
            #expect(question.context.context.interactionNotAllowed)
        }
    }

    @Test("A task that ends a context while another waits for the user ends the question, in either order")
    func endedMeanwhile() async throws {
        for _ in 0..<200 {
            let device = StubDevice()
            device.with { $0.leavesQuestionsOpen = true }
            try await onDevice(device) { _, _ in
                let question = try question(.biometryAny)
                async let refusal = question.ask()
                question.context.invalidate()
                question.context.invalidate()
                #expect(await refusal != nil)
                #expect(!question.context.context.interactionNotAllowed)
            }
        }
    }
}

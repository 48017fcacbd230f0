import HardwareKeys
import Synchronization
import Testing

@testable import MobileAuthentication
@testable import UAFClient

@Suite("Many operations at once")
struct ConcurrencyTests {
    @Test("Operations that are canceled at random end once each, and leave a state that works")
    func randomCancellation() async throws {
        let phone = try await TestPhone()
        try await phone.register()
        let ends = Tally()
        await withDiscardingTaskGroup { group in
            for _ in 0..<24 {
                group.addTask {
                    let operation = Task { try await phone.authenticate() }
                    for _ in 0..<Int.random(in: 0...400) { await Task.yield() }
                    if Bool.random() { operation.cancel() }
                    switch await operation.result {
                    case .success: break
                    case .failure(let error): #expect((error as? AuthenticationError)?.isUserCancellation == true)
                    }
                    ends.add()
                }
            }
        }
        #expect(ends.count == 24)
        _ = try await phone.authenticate()
        #expect(phone.usernames == ["jeff"])
    }

    @Test("The callback form calls one closure once, on the main actor, however often it is canceled")
    func oneTerminalCallback() async throws {
        let phone = try await TestPhone()
        try await phone.register()
        let person = await TestUser(pins: ["482915"])
        let calls = Tally()
        let end = OneShot<UserAnswer<Void>>()
        let operation = phone.client.operations.authentication.username("jeff")
            .authenticatorSelector(person).pinUserVerifier(person)
            .onSuccess { _ in
                MainActor.preconditionIsolated()
                calls.add()
                end.fill(.given(()))
            }
            .onError { _ in
                calls.add()
                end.fill(.given(()))
            }
        operation.execute()
        _ = await end.value()
        operation.cancel()
        operation.cancel()
        for _ in 0..<100 { await Task.yield() }
        #expect(calls.count == 1)
    }
}

/// Counts from any thread.
private final class Tally: Sendable {
    private let number = Mutex<Int>(0)

    var count: Int { number.withLock { $0 } }

    func add() { number.withLock { $0 += 1 } }
}

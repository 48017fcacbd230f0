import MobileAuthentication
import MobileAuthenticationTestKit
import SampleApp
import Testing

/// A push service whose user answers the question for permission.
private struct TestPush: PushService {
    var isAllowed = true

    func askForPermission() async -> Bool { isAllowed }

    func token() async throws -> String { "device-1" }
}

/// The app on a test phone, with a server in the same process.
@MainActor
private final class TestApp {
    let backend = TestBackend()
    let network: FaultyTransport
    let phone: TestPhone
    let app: AppModel
    private var operation: Task<Void, Never>?
    private var isOver = false

    init(push: TestPush = TestPush()) async throws {
        network = FaultyTransport(over: backend)
        phone = try await TestPhone(backend.configuration, over: network)
        app = AppModel(client: phone.client, push: push, deviceName: "Anna's phone")
    }

    /// Begins what the user does, while the test answers its questions.
    func begin(_ action: @escaping @MainActor (AppModel) async -> Void) {
        isOver = false
        operation = Task {
            await action(app)
            isOver = true
        }
    }

    /// Waits for the next question.
    func question() async throws -> Question.Kind {
        while app.question == nil {
            try Task.checkCancellation()
            guard !isOver else { throw NoQuestion(notice: app.notice) }
            await Task.yield()
        }
        return try #require(app.question?.kind)
    }

    func end() async { await operation?.value }

    struct NoQuestion: Error {
        let notice: String?
    }

    func register(_ username: String = "anna", pin: String = "482915") async throws {
        let invitation = backend.invite(username)
        begin { await $0.scan(invitation.scannedText) }
        try await answerAuthenticatorChoice()
        #expect(try await question() == .newPIN(problem: nil))
        app.answer(pin)
        await end()
    }

    /// The PIN, where several authenticators can be registered.
    private func answerAuthenticatorChoice() async throws {
        guard case .authenticator(let choices) = try await question() else { return }
        app.answer(try #require(choices.first { $0.name == "PIN" }).id)
    }
}

@MainActor
@Suite("The sample app without a server", .timeLimit(.minutes(1)))
struct SampleAppTests {
    @Test("A scanned invitation registers the device")
    func registration() async throws {
        let test = try await TestApp()
        try await test.register()
        #expect(test.app.accounts == ["anna"])
        #expect(test.app.notice == "This device is registered.")
        #expect(test.backend.registrations(of: "anna") == ["F1D0#1001"])
    }

    @Test("From permission to confirmation: the user allows messages, gets one, reads the text, and signs it with the PIN")
    func push() async throws {
        let test = try await TestApp()
        try await test.register()
        await test.app.switchPushOn()
        #expect(test.app.notice == "Messages are on.")

        let payment = test.backend.ask("anna", toConfirm: "Pay 20 CHF to Ben")
        let message = try #require(try test.backend.pushMessages(for: payment)["device-1"])
        test.begin { await $0.receive(push: message) }
        #expect(try await test.question() == .consent(text: "Pay 20 CHF to Ben", accounts: ["anna"]))
        #expect(test.backend.outcome(of: payment) == .redeemed)
        test.app.answer("anna")
        #expect(try await test.question() == .pin(problem: nil))
        test.app.answer("482915")
        await test.end()
        #expect(test.app.notice == "Confirmed.")
        #expect(test.backend.outcome(of: payment) == .succeeded(username: "anna"))
    }

    @Test("Without permission no message comes, and a scanned code confirms")
    func refusedPermission() async throws {
        let test = try await TestApp(push: TestPush(isAllowed: false))
        try await test.register()
        await test.app.switchPushOn()
        #expect(test.app.notice == "Messages are off. Allow them in the settings, or scan codes.")
        let signIn = test.backend.ask("anna")
        #expect(try test.backend.pushMessages(for: signIn).isEmpty)
        test.begin { await $0.scan(signIn.scannedText) }
        #expect(try await test.question() == .consent(text: nil, accounts: ["anna"]))
        test.app.answer("anna")
        #expect(try await test.question() == .pin(problem: nil))
        test.app.answer("482915")
        await test.end()
        #expect(test.backend.outcome(of: signIn) == .succeeded(username: "anna"))
    }

    @Test("A wrong PIN is told with the attempts that are left, and the right one then confirms")
    func wrongPIN() async throws {
        let test = try await TestApp()
        try await test.register()
        let signIn = test.backend.ask("anna")
        test.begin { await $0.scan(signIn.scannedText) }
        _ = try await test.question()
        test.app.answer("anna")
        _ = try await test.question()
        test.app.answer("999173")
        #expect(try await test.question() == .pin(problem: "Wrong PIN; 4 attempts are left."))
        test.app.answer("482915")
        await test.end()
        #expect(test.backend.outcome(of: signIn) == .succeeded(username: "anna"))
    }

    @Test("A request that the user did not begin is refused, and the server knows it")
    func unexpected() async throws {
        let test = try await TestApp()
        try await test.register()
        let signIn = test.backend.ask("anna")
        test.begin { await $0.scan(signIn.scannedText) }
        _ = try await test.question()
        test.app.report()
        await test.end()
        #expect(test.app.notice == "Canceled.")
        #expect(test.backend.outcome(of: signIn) == .ended)
    }

    @Test("Without a network the message says what helps, and the next code confirms")
    func lostNetwork() async throws {
        let test = try await TestApp()
        try await test.register()
        test.network.next(.lostRequest)
        await test.app.scan(test.backend.ask("anna").scannedText)
        #expect(test.app.notice == "The server could not be reached. Try again.")
        let signIn = test.backend.ask("anna")
        test.begin { await $0.scan(signIn.scannedText) }
        _ = try await test.question()
        test.app.answer("anna")
        _ = try await test.question()
        test.app.answer("482915")
        await test.end()
        #expect(test.backend.outcome(of: signIn) == .succeeded(username: "anna"))
    }

    @Test("A code that is no code of a server says so")
    func foreignCode() async throws {
        let test = try await TestApp()
        await test.app.scan("https://example.com/menu")
        #expect(test.app.accounts.isEmpty)
        #expect(test.app.notice?.isEmpty == false)
        #expect(test.network.requests.isEmpty)
    }
}

import Authenticators
import BackendTransport
import CommandSupport
import DemoCommands
import DeviceCommands
import Foundation
import MobileAuthentication
import MobileAuthenticationTestKit
import TestSupport
import Testing

@Suite("Wrong PINs up to the lock, and the way back", .serialized)
struct LockoutStoryTests {
    private static let parameters = RegistrationParameters(deviceName: "phone")

    /// A phone on a clock that the test moves, and the server it is registered with.
    private struct Stage {
        let installation: Installation
        let server: ChildProcess
        let folder: String
        let clock = VirtualClock()

        init() async throws {
            installation = try Installation(settings: "authorization: { registration: none }\n")
            server = try await installation.server.start()
            try await installation.server.addUser("anna", password: Installation.password)
            folder = installation.scratch.url.appending(path: "phone").path()
            try await VirtualDevice.create(inDirectory: folder, DeviceSettings(.ios, keys: .software))
        }

        /// The phone, switched on anew: whatever counts has to come from its folder.
        func phone() async throws -> VirtualDevice {
            var surroundings = VirtualDevice.Surroundings()
            surroundings.transport = try installation.server.transport()
            surroundings.clock = clock
            surroundings.civilClock = clock
            surroundings.coolDownClock = clock
            let cost = try ScryptCost(rounds: 16, blockSize: 8, parallelism: 1)
            surroundings.secretProtection = SecretProtection(cost: cost, leastRounds: 16)
            let address = try #require(URL(string: installation.server.address + "/nevisfido"))
            return try await VirtualDevice.open(
                inDirectory: folder, configuration: Configuration(baseUrl: address), surroundings: surroundings)
        }
    }

    /// Enters a wrong PIN once and gives up; returns how the attempts stood at the last question.
    private func fail(_ stage: Stage) async throws -> Prompt.Protection? {
        let user = ScriptedUser(pin: Installation.pin)
        await user.next(.approve)
        await user.next(.wrongSecret)
        await user.next(.deny)
        await #expect(throws: AuthenticationError.self) {
            try await stage.phone().authenticate("anna", user: user)
        }
        return await user.prompts.last?.protection
    }

    @Test("Five wrong PINs lock, with waits between, over restarts; deletion and a new registration help")
    func story() async throws {
        let stage = try await Stage()
        defer { stage.server.kill() }
        let anna = ScriptedUser(pin: Installation.pin)
        try await stage.phone().register("anna", Self.parameters, user: anna)

        #expect(try await fail(stage) == .lastAttemptFailed(remainingTries: 4, coolDownInSeconds: 0))
        #expect(try await fail(stage) == .lastAttemptFailed(remainingTries: 3, coolDownInSeconds: 0))
        #expect(try await fail(stage) == .lastAttemptFailed(remainingTries: 2, coolDownInSeconds: 60))
        // During the cool-down, also of a phone that was switched off meanwhile, nothing is looked at or counted.
        stage.clock.advance(by: .seconds(20))
        #expect(try await fail(stage) == .lastAttemptFailed(remainingTries: 2, coolDownInSeconds: 40))
        stage.clock.advance(by: .seconds(40))
        #expect(try await fail(stage) == .lastAttemptFailed(remainingTries: 1, coolDownInSeconds: 180))
        stage.clock.advance(by: .seconds(180))
        try await lock(stage)

        // The user is not asked any more, also not with the right PIN after a restart and a day.
        stage.clock.advance(by: .seconds(86_400))
        try await expectLock(stage, anna)
        await anna.next(.approve)
        let change = await #expect(throws: PinChangeError.self) {
            try await stage.phone().changePin("anna", user: anna)
        }
        guard case .PinLocked? = change else { throw OtherEnd(text: String(describing: change)) }

        try await stage.phone().deleteLocally("anna")
        #expect(try await stage.phone().registrations.isEmpty)
        let again = ScriptedUser(pin: "730528")
        try await stage.phone().register("anna", Self.parameters, user: again)
        #expect(try await stage.phone().authenticate("anna", user: again) != nil)
    }

    /// The fifth wrong PIN.
    private func lock(_ stage: Stage) async throws {
        let user = ScriptedUser(pin: Installation.pin)
        await user.next(.wrongSecret)
        try await expectLock(stage, user)
    }

    private func expectLock(_ stage: Stage, _ user: ScriptedUser) async throws {
        let error = await #expect(throws: AuthenticationError.self) {
            try await stage.phone().authenticate("anna", user: user)
        }
        #expect(error?.fidoErrorCode == .userLockout)
    }

    @Test(
        "The same with processes, in real time",
        .enabled(if: SlowTests.areWanted, "it waits four minutes; SIGNET_SLOW_TESTS=1 runs it"))
    func processes() async throws {
        let installation = try Installation()
        let server = try await installation.server.start()
        defer { server.kill() }
        let (phone, _) = try await installation.registered("anna")
        let wrong = installation.scratch.url.appending(path: "wrong-pin")
        try PrivateFile(path: wrong.path()).write("000111")
        func fail() async throws -> CommandOutcome {
            try await phone.run("authenticate", ["--user", "anna", "--pin-file", wrong.path()])
        }
        for _ in 1...3 { #expect(try await fail().error == "WrongPin") }
        #expect(try await fail().error == "PinCoolDown")
        try await Task.sleep(for: .seconds(61))
        #expect(try await fail().error == "WrongPin")
        #expect(try await fail().error == "PinCoolDown")
        try await Task.sleep(for: .seconds(181))
        let locked = try await fail()
        #expect(locked.code == 1 && locked.fidoErrorCode == 0x10, "\(locked.message)")
        #expect(try await installation.authenticate(phone, "anna").fidoErrorCode == 0x10)
        #expect(try await phone.run("delete-local", ["--user", "anna"]).isDone)
        #expect(try await installation.authenticate(phone, "anna").isDone == false)
    }

    /// The operation ended in another way.
    private struct OtherEnd: Error { let text: String }
}

import Foundation
import HardwareKeys
import TestSupport
import Testing
import UserVerificationLinux

/// The same service code on services in a folder of their own, in this process.
@Suite(
    "Device passcode through PAM (4.2): who is asked, when and how long",
    .enabled(if: PAMStage.isInstalled, "\(PAMStage.absence)"))
struct PAMPasscodeTests {
    private let stage: PAMStage
    private let prompt = PresencePrompt(reason: "Open the box")

    init() throws {
        stage = try PAMStage()
    }

    private func passcode(
        _ entry: TypedPasscode, timeLimit: Duration = .seconds(30), problems: Problems = Problems()
    ) throws -> PAMPasscode {
        let service = try #require(PAMService(name: "signet", folder: stage.folder))
        return PAMPasscode(service: service, entry: entry, timeLimit: timeLimit) { problems.add($0) }
    }

    @Test("The user is asked once, in the words of the caller")
    func words() async throws {
        try stage.add("signet", taking: "right")
        let entry = TypedPasscode("right")
        #expect(try await passcode(entry).verify(prompt).gate == .devicePasscode)
        #expect(entry.prompts == [prompt])
    }

    @Test("A user who does not want to is not looked up at PAM")
    func unwilling() async throws {
        try stage.add("signet", "auth required pam_exec.so /usr/bin/touch \(stage.folder)/asked")
        let passcode = try passcode(TypedPasscode(.failure(.cancelled)))
        #expect(passcode.isInstalled)
        await #expect(throws: UserPresenceError.cancelled) { _ = try await passcode.verify(prompt) }
        #expect(!FileManager.default.fileExists(atPath: stage.folder + "/asked"))
    }

    @Test("A service that lets everybody in unasked proves nothing")
    func letsIn() async throws {
        try stage.add("signet", "auth required pam_permit.so", "account required pam_permit.so")
        let problems = Problems()
        await #expect(throws: UserPresenceError.unavailable) {
            _ = try await passcode(TypedPasscode("any"), problems: problems).verify(prompt)
        }
        #expect(problems.all == [.passcodeNotSet])
    }

    @Test("A service that takes an empty passcode proves that there is none")
    func takesNothing() async throws {
        // The module asks, and the next one lets in whatever was answered.
        try stage.add(
            "signet", "auth optional $MATRIX", "auth required pam_permit.so", "account required pam_permit.so")
        try stage.setPassword("right", at: "signet")
        let problems = Problems()
        await #expect(throws: UserPresenceError.unavailable) {
            _ = try await passcode(TypedPasscode(""), problems: problems).verify(prompt)
        }
        #expect(problems.all == [.passcodeNotSet])
    }

    @Test("A module that asks for something visible gets no answer")
    func otherQuestion() async throws {
        try stage.add("signet", "auth required $MATRIX echo", "account required pam_permit.so")
        try stage.setPassword("right", at: "signet")
        let problems = Problems()
        await #expect(throws: UserPresenceError.unavailable) {
            _ = try await passcode(TypedPasscode("right"), problems: problems).verify(prompt)
        }
        #expect(problems.all == [.questionNotUnderstood])
    }

    @Test("A module that cannot be loaded is a fault of the set-up, not of the user")
    func brokenService() async throws {
        try stage.add("signet", "auth required pam_there_is_none.so", "account required pam_permit.so")
        let problems = Problems()
        await #expect(throws: UserPresenceError.unavailable) {
            _ = try await passcode(TypedPasscode("right"), problems: problems).verify(prompt)
        }
        #expect(problems.all.count == 1)
    }

    @Test("Several modules that ask each get the same passcode")
    func askedTwice() async throws {
        try stage.add("signet", "auth required $MATRIX", "auth required $MATRIX", "account required $MATRIX")
        try stage.setPassword("right", at: "signet")
        _ = try await passcode(TypedPasscode("right")).verify(prompt)
        await #expect(throws: UserPresenceError.mismatch) {
            _ = try await passcode(TypedPasscode("wrong")).verify(prompt)
        }
    }

    @Test("PAM that does not answer in time is given up")
    func slowModule() async throws {
        let barrier = try addServiceWithBarrier()
        let passcode = try passcode(TypedPasscode("right"), timeLimit: .milliseconds(50))
        await #expect(throws: UserPresenceError.notResponding) { _ = try await passcode.verify(prompt) }
        barrier.lift()
    }

    @Test("A cancelled task has its answer at once though PAM goes on, and the next try waits for its turn")
    func cancelled() async throws {
        let barrier = try addServiceWithBarrier()
        let passcode = try passcode(TypedPasscode("right"))
        let prompt = prompt
        let asking = Task { () async -> UserPresenceError? in
            do throws(UserPresenceError) {
                _ = try await passcode.verify(prompt)
                return nil
            } catch {
                return error
            }
        }
        barrier.waitForReader()
        asking.cancel()
        #expect(await asking.value == .cancelled)
        async let proof = passcode.verify(prompt)
        barrier.lift()
        #expect(try await proof.gate == .devicePasscode)
    }

    /// A service whose first module stands still until the test lets it go on.
    private func addServiceWithBarrier() throws -> Barrier {
        let barrier = try Barrier(in: stage.folder)
        try stage.add(
            "signet", "auth required pam_exec.so quiet /bin/cat \(barrier.path)", "auth required $MATRIX",
            "account required $MATRIX")
        try stage.setPassword("right", at: "signet")
        return barrier
    }

    @Test(
        "Names with which a service would be another file are refused", arguments: ["", "../x", "a/b", "Signet", "a.b"])
    func names(_ name: String) {
        #expect(PAMService(name: name) == nil)
        #expect(PAMService(name: "signet", folder: "relative") == nil)
        #expect(PAMService(name: "signet-2") != nil)
    }
}

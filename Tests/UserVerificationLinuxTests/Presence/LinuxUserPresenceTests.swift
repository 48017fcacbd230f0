import HardwareKeys
import TestSupport
import Testing
import UserVerificationLinux

@Suite("User presence on Linux (4): finger and passcode behind one port", LinuxMachine.requirement)
struct LinuxUserPresenceTests {
    private let machine: LinuxMachine
    private let prompt = PresencePrompt(reason: "Pay 12 francs", fallbackTitle: "Use the passcode")

    init() throws {
        machine = try LinuxMachine()
    }

    @Test(
        "A matching finger passes every gate that takes fingers, in the words of the caller",
        arguments: [UserGate.biometryAny, .biometryCurrentSet, .userPresence])
    func finger(_ gate: UserGate) async throws {
        try await machine.fingers.enrol("right-thumb", print: "thumb")
        let (user, prompt) = (try machine.user, prompt)
        let proof = try await machine.giving("thumb") { try await user.confirm(gate, prompt: prompt) }
        #expect(proof.gate == gate)
        #expect(machine.dialog.prompts == [prompt])
        #expect(machine.entry.prompts.isEmpty)
        await #expect(throws: UserPresenceError.mismatch) {
            _ = try await machine.giving("nose") { try await user.confirm(gate, prompt: prompt) }
        }
        #expect(machine.entry.prompts.isEmpty)
    }

    @Test("The passcode passes the gate of the passcode, and no finger is asked for")
    func passcode() async throws {
        #expect(try await machine.user.confirm(.devicePasscode, prompt: prompt).gate == .devicePasscode)
        #expect(machine.entry.prompts == [prompt])
        #expect(machine.dialog.prompts.isEmpty)
        await #expect(throws: UserPresenceError.mismatch) {
            _ = try await machine.user(typing: TypedPasscode("wrong")).confirm(.devicePasscode)
        }
    }

    @Test("A user who prefers the passcode passes with it where either is taken")
    func fallback() async throws {
        try await machine.fingers.enrol("right-thumb", print: "thumb")
        machine.dialog.decide(.fallback)
        #expect(try await machine.user.confirm(.userPresence, prompt: prompt).gate == .userPresence)
        #expect(machine.entry.prompts == [prompt])
    }

    @Test("Where only a finger is taken, the wish for another method goes to the caller")
    func fallbackToCaller() async throws {
        try await machine.fingers.enrol("right-thumb", print: "thumb")
        machine.dialog.decide(.fallback)
        await #expect(throws: UserPresenceError.fallbackChosen) {
            _ = try await machine.user.confirm(.biometryAny, prompt: prompt)
        }
        machine.dialog.decide(nil)
        let user = try machine.user
        _ = try await machine.giving("thumb") { try await user.confirm(.biometryAny) }
        #expect(machine.entry.prompts.isEmpty)
    }

    @Test("A user who does not want to is not asked for something else")
    func cancelled() async throws {
        try await machine.fingers.enrol("right-thumb", print: "thumb")
        machine.dialog.decide(.cancelled)
        for gate in [UserGate.biometryAny, .userPresence] {
            await #expect(throws: UserPresenceError.cancelled) { _ = try await machine.user.confirm(gate) }
        }
        #expect(machine.entry.prompts.isEmpty)
    }

    @Test("Without an enrolled finger or without the service the passcode serves where either is taken, and only there")
    func noFinger() async throws {
        #expect(try await machine.user.confirm(.userPresence).gate == .userPresence)
        await #expect(throws: UserPresenceError.unavailable) { _ = try await machine.user.confirm(.biometryAny) }
        machine.fingers.killService()
        #expect(try await machine.user.confirm(.userPresence).gate == .userPresence)
        await #expect(throws: UserPresenceError.unavailable) {
            _ = try await machine.user.confirm(.biometryCurrentSet)
        }
        #expect(machine.entry.prompts.count == 2)
    }

    @Test("An application without a dialog of ours gives a finger as well, and can end the wait")
    func silent() async throws {
        try await machine.fingers.enrol("right-thumb", print: "thumb")
        let passcode = PAMPasscode(service: try machine.service, entry: machine.entry)
        let sensor = AnnouncedSensor(sensor: machine.sensor)
        let user = LinuxUserPresence(sensor: sensor, passcode: passcode)
        let ended = Task { try await user.confirm(.biometryAny) }
        ended.cancel()
        await #expect(throws: UserPresenceError.cancelled) { _ = try await ended.value }
        let given = Task { try await user.confirm(.biometryAny) }
        await sensor.listening()
        try await machine.fingers.scan("thumb")
        #expect(try await given.value.gate == .biometryAny)
    }

    /// A sensor that tells the test when it waits for a finger.
    private struct AnnouncedSensor: BiometricSensor {
        let sensor: FprintdSensor
        private let signals = AsyncStream<Void>.makeStream()

        init(sensor: FprintdSensor) {
            self.sensor = sensor
        }

        func listening() async {
            var iterator = signals.stream.makeAsyncIterator()
            _ = await iterator.next()
        }

        func status() async throws(UserPresenceError) -> SensorStatus { try await sensor.status() }

        func scan(_ progress: @escaping @Sendable (ScanProgress) -> Void) async throws(UserPresenceError) {
            let signals = signals
            try await sensor.scan { step in
                progress(step)
                if step == .ready { signals.continuation.yield() }
            }
        }
    }

    @Test("The digest tells a finger more or less, and that it cannot be told")
    func digest() async throws {
        let user = try machine.user
        await #expect(throws: UserPresenceError.unavailable) { _ = try await user.enrollmentDigest() }
        try await machine.fingers.enrol("right-thumb", print: "thumb")
        let one = try await user.enrollmentDigest()
        #expect(one.count == 32)
        try await machine.fingers.enrol("left-thumb", print: "other")
        #expect(try await user.enrollmentDigest() != one)
        try machine.fingers.remove("left-thumb")
        #expect(try await user.enrollmentDigest() == one)
        machine.fingers.killBus()
        await #expect(throws: UserPresenceError.notResponding) { _ = try await user.enrollmentDigest() }
    }
}

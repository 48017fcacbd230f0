import BackendAPI
import Testing
import UAF

@testable import MobileAuthentication

/// Ten thousand lives of each operation, made by chance: answers, cancellations, silence, faults of device and server,
/// cancellation from outside at any moment.
@Suite("Every interleaving of an operation ends once")
struct InterleavingTests {
    private static let count: UInt64 = 10_000
    /// Nobody answers so often; a machine that asks more has lost its way.
    private static let stepLimit = 400

    /// Runs a machine in a world; returns whether it ended as it must.
    private func live<Machine: OperationMachine & ~Copyable>(
        _ fresh: consuming Machine, _ world: ChaosWorld, _ react: (Machine.Effect) -> Machine.Event
    ) -> Bool {
        var machine = fresh
        let cancellation = Int.random(in: 0...40, using: &world.chance)
        var step = machine.start()
        var count = 0
        while case .perform(let effect) = step {
            count += 1
            guard count < Self.stepLimit else { return false }
            let isOver = count > cancellation && !effect.outlivesCancellation
            step = machine.resume(isOver ? Machine.cancellation : react(effect))
        }
        // Whatever comes later changes nothing.
        guard case .finish(let end) = step, case .finish(let again) = machine.resume(Machine.cancellation) else {
            return false
        }
        return String(describing: end) == String(describing: again)
            && world.lock.isConsistent && world.questionsWhileLocked == 0
    }

    /// Runs all lives and names the seeds of those that went wrong.
    private func expectAll(_ kind: AuthenticatorAaid = .Pin, _ run: (ChaosWorld) -> Bool) throws {
        var failures: [UInt64] = []
        let fixtures = try Fixtures()
        for seed in 0..<Self.count {
            let world = try ChaosWorld(seed: seed, kind, fixtures)
            if !run(world) { failures.append(seed) }
        }
        #expect(failures.isEmpty, "seeds of lives that did not end well: \(failures.prefix(10))")
    }

    @Test("Registration")
    func registration() throws {
        try expectAll { world in
            var order = RegistrationMachine.Order(server: world.fixtures.server)
            order.username = "jeff"
            order.deviceInformation = DeviceInformation(name: "phone")
            order.hasSelector = true
            order.enrollable = [.Pin, .Fingerprint, .Password]
            return live(RegistrationMachine(order), world) { world.react(to: $0) }
        }
    }

    @Test("Authentication with a secret, by name and out of band")
    func authentication() throws {
        try expectAll { world in
            var order = AuthenticationMachine.Order()
            let request = world.fixtures.authenticationRequest(naming: [world.credential])
            order.subject =
                world.chance.oncePer(2) ? .user("jeff") : .whoever(request, expiry: nil, world.fixtures.server)
            order.hasAccountSelector = true
            order.hasSelector = true
            order.hasChannelLinker = world.chance.oncePer(2)
            if world.chance.oncePer(2) {
                order.linking = LinkingDemand(digitCount: 2, shownDigits: world.chance.oncePer(2) ? "42" : nil)
            }
            order.verifiable = [.Pin]
            return live(AuthenticationMachine(order), world) { world.react(to: $0) }
        }
    }

    @Test("Authentication that the system verifies")
    func presence() throws {
        try expectAll(.Fingerprint) { world in
            var order = AuthenticationMachine.Order()
            order.subject = .user("jeff")
            order.hasSelector = true
            order.verifiable = [.Fingerprint]
            return live(AuthenticationMachine(order), world) { world.react(to: $0) }
        }
    }

    @Test("Deregistration")
    func deregistration() throws {
        try expectAll { world in
            var order = DeregistrationMachine.Order()
            order.username = "jeff"
            order.aaid = world.chance.oncePer(2) ? "F1D0#1001" : nil
            order.usesDeviceSignature = world.chance.oncePer(2)
            return live(DeregistrationMachine(order), world) { world.react(to: $0) }
        }
    }

    @Test("Redeeming a token")
    func outOfBand() throws {
        try expectAll { world in
            var order = OutOfBandMachine.Order(server: world.fixtures.server)
            order.content = world.content
            return live(OutOfBandMachine(order), world) { world.react(to: $0) }
        }
    }

    @Test("Change of the device information")
    func deviceInformationChange() throws {
        try expectAll { world in
            var order = DeviceInformationChangeMachine.Order()
            order.name = world.chance.oncePer(8) ? nil : "another"
            order.push = world.chance.oncePer(2) ? .disabled : .token("t")
            order.retries = .constant(maxRetries: 2, delayInSeconds: 1)
            return live(DeviceInformationChangeMachine(order), world) { world.react(to: $0) }
        }
    }

    @Test("A round through all servers, and repairs")
    func serverRound() throws {
        try expectAll { world in
            live(ServerRoundMachine<DeviceCredentials>(), world) { world.react(to: $0) }
                && live(DeviceRepairMachine(world.repairs), world) { _ in .answer(world.deviceAnswer(())) }
        }
    }

    @Test("PIN change and password change", arguments: [SecretKind.pin, .password])
    func change(kind: SecretKind) throws {
        try expectAll(kind.authenticator) { world in
            var order = SecretChangeMachine.Order(kind)
            order.username = "jeff"
            order.hasChanger = true
            return live(SecretChangeMachine(order), world) { world.react(to: $0) }
        }
    }
}

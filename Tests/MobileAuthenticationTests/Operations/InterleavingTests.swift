import Authenticators
import BackendAPI
import Octets
import Testing
import UAF

@testable import MobileAuthentication
@testable import UAFClient

/// Ten thousand lives of each operation, made by chance: answers, cancellations, silence, faults of device and server,
/// cancellation from outside at any moment.
@Suite("Every interleaving of an operation ends once")
struct InterleavingTests {
    private static let count: UInt64 = 10_000
    /// No user answers so often; a machine that asks more has lost its way.
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
            step = machine.resume(isOver ? .canceled : react(effect))
        }
        // Whatever comes later changes nothing.
        guard case .finish(let end) = step, case .finish(let again) = machine.resume(.canceled) else {
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
            var parameters = RegistrationMachine<SDKValues>.Parameters(server: world.fixtures.server)
            parameters.username = "jeff"
            parameters.deviceInformation = DeviceInformation(name: "phone")
            parameters.hasSelector = true
            parameters.enrollable = [.pin, .fingerprint, .password]
            return live(RegistrationMachine<SDKValues>(parameters), world) { world.react(to: $0) }
        }
    }

    @Test("Authentication with a secret, by name and out of band")
    func authentication() throws {
        try expectAll { world in
            var parameters = AuthenticationMachine<SDKValues>.Parameters()
            let request = world.fixtures.authenticationRequest(naming: [world.credential])
            parameters.subject =
                world.chance.oncePer(2) ? .user("jeff") : .anyUser(request, expiry: nil, world.fixtures.server)
            parameters.hasAccountSelector = true
            parameters.hasSelector = true
            parameters.hasChannelLinker = world.chance.oncePer(2)
            if world.chance.oncePer(2) {
                parameters.linking = LinkingDemand(digitCount: 2, shownDigits: world.chance.oncePer(2) ? "42" : nil)
            }
            parameters.verifiable = [.pin]
            return live(AuthenticationMachine<SDKValues>(parameters), world) { world.react(to: $0) }
        }
    }

    @Test("Authentication that the system verifies")
    func presence() throws {
        try expectAll(.Fingerprint) { world in
            var parameters = AuthenticationMachine<SDKValues>.Parameters()
            parameters.subject = .user("jeff")
            parameters.hasSelector = true
            parameters.verifiable = [.fingerprint]
            return live(AuthenticationMachine<SDKValues>(parameters), world) { world.react(to: $0) }
        }
    }

    @Test("Deregistration")
    func deregistration() throws {
        try expectAll { world in
            var parameters = DeregistrationMachine.Parameters()
            parameters.username = "jeff"
            parameters.aaid = world.chance.oncePer(2) ? "F1D0#1001" : nil
            parameters.authorization = world.chance.oncePer(2) ? .device : .absent
            return live(DeregistrationMachine(parameters), world) { world.react(to: $0) }
        }
    }

    @Test("Redeeming a token")
    func outOfBand() throws {
        try expectAll { world in
            var parameters = OutOfBandMachine<SDKValues>.Parameters(server: world.fixtures.server)
            parameters.content = world.content
            return live(OutOfBandMachine<SDKValues>(parameters), world) { world.react(to: $0) }
        }
    }

    @Test("Change of the device information")
    func deviceInformationChange() throws {
        try expectAll { world in
            var parameters = DeviceInformationChangeMachine.Parameters()
            parameters.name = world.chance.oncePer(8) ? nil : "another"
            parameters.push = world.chance.oncePer(2) ? .disabled : .token(Sensitive("t"))
            parameters.retries = RetrySchedule(maxRetries: 2, seconds: 1)
            return live(DeviceInformationChangeMachine(parameters), world) { world.react(to: $0) }
        }
    }

    @Test("A round through all servers, and repairs")
    func serverRound() throws {
        try expectAll { world in
            live(ServerFanOutMachine<DeviceCredentials>(), world) { world.react(to: $0) }
                && live(DeviceRepairMachine(world.repairs), world) { _ in .answer(world.deviceAnswer(())) }
        }
    }

    @Test("PIN change and password change", arguments: [SecretKind.pin, .password])
    func change(kind: SecretKind) throws {
        try expectAll(kind.authenticator) { world in
            var parameters = SecretChangeMachine<SDKValues>.Parameters(kind)
            parameters.username = "jeff"
            parameters.hasChanger = true
            return live(SecretChangeMachine<SDKValues>(parameters), world) { world.react(to: $0) }
        }
    }
}

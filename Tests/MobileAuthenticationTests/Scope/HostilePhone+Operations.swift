import Authenticators
import BackendAPI
import Octets
import TestSupport
import Testing
import UAF

@testable import MobileAuthentication
@testable import UAFClient

/// What the user does next, and with which of the two servers.
struct HostileMove {
    private let kind: Int
    private let isWithHostile: Bool
    private let name: String?
    private let push: DeviceInformationChangeMachine.Parameters.Push?

    init(by chance: inout SeededGenerator) {
        kind = Int.random(in: 0...9, using: &chance)
        isWithHostile = chance.oncePer(2)
        name = [nil, "another name", "third name"][Int.random(in: 0...2, using: &chance)]
        push = [nil, .token(Sensitive("fresh")), .disabled][Int.random(in: 0...2, using: &chance)]
    }

    /// Plays the move; one that begins with a message of the hostile server does not happen where that is silenced.
    func play(on phone: HostilePhone) {
        phone.speaker = isWithHostile ? phone.hostile : phone.honest
        switch kind {
        case 0: phone.change(to: name, push)
        case 1: phone.synchronize(mending: true)
        case 2: phone.synchronize(mending: false)
        case 3: phone.fetchPending()
        case 4: phone.deleteHere(phone.ownName)
        case _ where phone.isSilenced && isWithHostile: break
        case 5: phone.register(nil)
        case 6: phone.authenticate(.anyUser(phone.authentication, expiry: nil, phone.speaker))
        case 7: phone.authenticate(.user(phone.ownName.text))
        case 8: phone.deregister()
        default: phone.redeem(phone.payload)
        }
    }
}

extension HostilePhone {
    /// Runs a machine to its end, at most so many steps.
    private func play<Machine: OperationMachine & ~Copyable>(
        _ fresh: consuming Machine, _ react: (Machine.Effect) -> Machine.Event
    ) -> Result<Machine.Output, Machine.Failure>? {
        var machine = fresh
        var step = machine.start()
        for _ in 0..<60 {
            switch step {
            case .perform(let effect): step = machine.resume(react(effect))
            case .finish(let result): return result
            }
        }
        return nil
    }

    fileprivate func register(_ received: RegistrationRequest?) {
        var parameters = RegistrationMachine<SDKValues>.Parameters(server: speaker)
        parameters.username = received == nil ? ownName.text : nil
        parameters.received = received.map { ReceivedRequest($0, expiry: nil) }
        parameters.deviceInformation = DeviceInformation(name: "phone")
        parameters.hasSelector = true
        parameters.enrollable = [.pin, .password, .fingerprint]
        _ = play(RegistrationMachine<SDKValues>(parameters)) { react(to: $0) }
    }

    fileprivate func authenticate(_ subject: AuthenticationMachine<SDKValues>.Parameters.Subject) {
        if case .user(let name) = subject, let name, let user = UserName(name),
            device.home(of: user)?.server != speaker
        {
            return
        }
        var parameters = AuthenticationMachine<SDKValues>.Parameters()
        parameters.subject = subject
        parameters.hasSelector = true
        parameters.hasAccountSelector = true
        parameters.hasChannelLinker = true
        parameters.verifiable = [.pin, .password, .fingerprint]
        _ = play(AuthenticationMachine<SDKValues>(parameters)) { react(to: $0) }
    }

    fileprivate func deregister() {
        var parameters = DeregistrationMachine.Parameters()
        parameters.username = ownName.text
        parameters.authorization = chance.oncePer(3) ? .device : .absent
        _ = play(DeregistrationMachine(parameters)) { react(to: $0) }
    }

    fileprivate func redeem(_ payload: OutOfBandEnvelope) {
        var parameters = OutOfBandMachine<SDKValues>.Parameters(server: configured.address)
        parameters.content = payload.content
        let result = play(OutOfBandMachine<SDKValues>(parameters)) { react(to: $0) }
        guard case .success(let outcome)? = result else { return }
        switch outcome {
        case .registration(let request, _): register(request)
        case .authentication(let request, let redemption):
            authenticate(.anyUser(request, expiry: nil, redemption.server))
        case .deregistered: break
        }
    }

    /// Compares with every server, and lets everything be mended that was found.
    fileprivate func synchronize(mending: Bool) {
        let found = report().answers.flatMap { mismatches($0) }
        guard mending else { return }
        let plan = DeviceRepairPlan(found, report())
        _ = play(DeviceRepairMachine(plan.repairs)) { react(to: $0) }
    }

    private func report() -> ServerFanOut<DeviceCredentials> {
        let end = play(ServerFanOutMachine<DeviceCredentials>(includesDeparted: true)) { react(to: $0) }
        guard case .success(let round)? = end else { return ServerFanOut() }
        return round
    }

    private func mismatches(_ answer: ServerFanOut<DeviceCredentials>.Answer) -> [DeviceMismatch] {
        let found = DeviceComparison(device, answer.signer.server, answer.body).mismatches
        tell(answer.signer.server, "found \(found)")
        return found
    }

    /// Asks every server what waits, and does it.
    fileprivate func fetchPending() {
        guard case .success(let round)? = play(ServerFanOutMachine<PendingOperations>(), { react(to: $0) }) else {
            return
        }
        for answer in round.answers {
            speaker = answer.signer.server
            for entry in answer.body.entries { redeem(entry.payload) }
        }
    }

    fileprivate func change(to name: String?, _ push: DeviceInformationChangeMachine.Parameters.Push?) {
        var parameters = DeviceInformationChangeMachine.Parameters()
        parameters.name = name
        parameters.push = push
        _ = play(DeviceInformationChangeMachine(parameters)) { react(to: $0) }
    }
}

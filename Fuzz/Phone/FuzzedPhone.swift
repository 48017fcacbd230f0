import BackendAPI
import Foundation
import FuzzParsers
import MobileAuthentication
import MobileAuthenticationTestKit

/// Phone under test: every operation of the SDK against a server whose responses are chosen by the input.
///
/// Whatever it responds, every operation ends, and the keys of another server on the same phone stay usable.
package struct FuzzedPhone: Sendable {
    /// Name for the command line and the folder of its regressions.
    package static let name = "hostile-server"
    /// Maximum number of operations of one input.
    private static let operations = 6
    /// Real duration of one of the phone's waits before its clock is advanced.
    private static let patience = Duration.milliseconds(50)
    /// Number of hours by which the clock is advanced before an operation counts as one that never ends.
    private static let hours = 60

    /// Seed inputs: each operation with correct responses, misplaced ones, corrupted ones and refusals.
    package static let seeds: [[UInt8]] = (0..<kinds).flatMap { kind in
        [[], [8], [16, 3], [24, 11, 9], [64, 3, 0, 40, 0, 7, 0, 41, 1, 2], [255], [2, 5, 97, 61, 49, 59, 32]].map {
            [0, kind] + $0 + [1] + $0
        }
    }
    private static let kinds: UInt8 = 10

    /// Creates the subject; each input runs on a new phone.
    package init() {}

    /// Runs an input.
    ///
    /// Throws ``FuzzFinding`` for an operation that does not end, and for a key of the honest server that cannot be
    /// used afterwards. Needs the main actor.
    package func play(_ input: [UInt8]) async throws {
        let choices = HostileChoices(input)
        let network = HostileNetwork(choices)
        guard let server = URL(string: HostileNetwork.hostile.address) else { return }
        let phone = try await TestPhone(server: server, over: network)
        let user = ScriptedUser(clock: phone.clock)
        try await keeperUses(phone, user, network, isRegistered: false)
        let hostile = HostileSession(phone: phone, user: user, choices: choices)
        let mood = choices.octet()
        for _ in 0..<Self.operations where !choices.isUsedUp {
            if mood & 1 != 0 { await user.next(choices.octet() & 1 == 0 ? .deny : .wrongSecret) }
            let kind = choices.octet() % Self.kinds
            try await ends(phone) { await hostile.operate(kind) }
        }
        try await keeperUses(phone, ScriptedUser(clock: phone.clock), network, isRegistered: true)
    }

    /// Registers a user at the honest server, or authenticates them; the server has to receive a response.
    private func keeperUses(
        _ phone: TestPhone, _ user: ScriptedUser, _ network: HostileNetwork, isRegistered: Bool
    ) async throws {
        guard let server = URL(string: HostileNetwork.honest.address) else { return }
        let before = network.honestResponses
        var problem = "nothing was sent"
        do {
            if isRegistered {
                _ = try await phone.client.operations.authentication.username("keeper")
                    .authenticatorSelector(user).pinUserVerifier(user).perform()
            } else {
                try await phone.client.operations.registration.username("keeper").serverUrl(server)
                    .deviceInformation(DeviceInformation(name: "phone")).authenticatorSelector(user)
                    .pinEnroller(user).perform()
            }
            if network.honestResponses == before + 1 { return }
        } catch {
            problem = "\(error)"
        }
        throw FuzzFinding(
            parser: Self.name,
            promise: "the key of another server \(isRegistered ? "stays usable" : "is registered") (\(problem))")
    }

    /// Runs an operation, and advances the phone's clock while it waits.
    private func ends(_ phone: TestPhone, _ operation: @escaping @Sendable () async -> Void) async throws {
        try await withThrowingTaskGroup(of: Bool.self) { group in
            group.addTask {
                await operation()
                return true
            }
            group.addTask {
                var hours = 0
                while hours < Self.hours {
                    try await Task.sleep(for: Self.patience)
                    // The clock is advanced for waits only, so that a slow machine does not cause timeouts.
                    guard phone.clock.waitCount > 0 else { continue }
                    phone.clock.advance(by: .seconds(3_600))
                    hours += 1
                }
                return false
            }
            let hasEnded = try await group.next() ?? false
            group.cancelAll()
            guard hasEnded else { throw FuzzFinding(parser: Self.name, promise: "every operation ends") }
        }
    }
}

/// Operations of an application that has the hostile server in its configuration.
private struct HostileSession: Sendable {
    let phone: TestPhone
    let user: ScriptedUser
    let choices: HostileChoices

    private var operations: any Operations { phone.client.operations }

    /// One operation, whose outcome the application ignores.
    func operate(_ kind: UInt8) async {
        switch kind {
        case 0: await register()
        case 1:
            _ = try? await operations.authentication.username("anna").authenticatorSelector(user).pinUserVerifier(user)
                .perform()
        case 2: try? await operations.deregistration.username("anna").perform()
        case 3: try? await operations.pinChange.username("anna").pinChanger(user).perform()
        case 4: await redeem(invitation())
        case 5: await redeem(try? operations.outOfBandPayloadDecode.json(choices.text()).perform())
        case 6:
            for waiting in await operations.pendingOutOfBandOperations.perform().operations {
                await redeem(waiting.payload)
            }
        case 7:
            try? await operations.deviceInformationChange.name(choices.text()).fcmRegistrationToken(choices.text())
                .perform()
        case 8:
            let found = await operations.deviceInformationCheck.perform()
            _ = await operations.deviceInformationSync.mismatches(found.mismatches).perform()
        default: await enrol()
        }
    }

    private func register() async {
        try? await operations.registration.username("anna").deviceInformation(DeviceInformation(name: "phone"))
            .authenticatorSelector(user).pinEnroller(user).perform()
    }

    /// QR code of the hostile server that is correct except, possibly, for its address.
    private func invitation() -> OutOfBandPayload? {
        let kind = choices.pick(["registration", "authentication", "deregistration", "other"]) ?? ""
        let address = choices.pick([
            HostileNetwork.hostile.address, HostileNetwork.honest.address, "https://third.example",
        ])
        let content = OutOfBandContent(token: "t", redeemURL: (address ?? "") + "/token/redeem/" + kind)
        let code = OutOfBandEnvelope(.plain(content)).base64URL
        return try? operations.outOfBandPayloadDecode.base64UrlEncoded(code).perform()
    }

    private func redeem(_ payload: OutOfBandPayload?) async {
        guard let payload else { return }
        let step = try? await operations.outOfBandOperation.payload(payload).deregistrationConfirmer(user)
            .onRegistration { _ in }.onAuthentication { _ in }.onDeregistration {}.perform()
        switch step {
        case .registration(let registration):
            try? await registration.deviceInformation(DeviceInformation(name: "phone")).authenticatorSelector(user)
                .pinEnroller(user).perform()
        case .authentication(let authentication):
            _ = try? await authentication.accountSelector(user).channelLinker(user).authenticatorSelector(user)
                .pinUserVerifier(user).perform()
        case .deregistration, nil: return
        }
    }

    /// Invitation of an Authentication Cloud, by its document or by a link.
    private func enrol() async {
        let registration = operations.authCloudApiRegistration.deviceInformation(DeviceInformation(name: "phone"))
            .authenticatorSelector(user).pinEnroller(user)
        let text = choices.text()
        _ = choices.octet() & 1 == 0 ? registration.enrollResponse(text) : registration.appLinkUri(text)
        try? await registration.perform()
    }
}

// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

import MobileAuthentication
import MobileAuthenticationTestKit

/// Listings of pretended phones and their users; each returns what a test would look at.
@MainActor
public enum TestKitListings {
    public static func phone(_ configuration: Configuration) async throws -> TestPhone {
        // Listing begins
        let phone = try await TestPhone(configuration)
        let user = ScriptedUser(pin: "482915", clock: phone.clock)
        try await phone.client.operations.registration.username("anna")
            .deviceInformation(DeviceInformation(name: "test phone"))
            .authenticatorSelector(user).pinEnroller(user).perform()
        // Listing ends
        return phone
    }

    public static func user(_ phone: TestPhone) async throws -> Int {
        // Listing begins
        let user = ScriptedUser(pin: "482915", clock: phone.clock)
        user.next(.wrongSecret, times: 2)
        _ = try await phone.client.operations.authentication.username("anna")
            .authenticatorSelector(user).pinUserVerifier(user).perform()
        let asked = user.promptCount(.verifyPin)  // Three times.
        // Listing ends
        return asked
    }

    public static func network(_ configuration: Configuration) async throws -> (TestPhone, FaultyTransport) {
        // Listing begins
        let network = FaultyTransport(over: try NetworkTransport(for: configuration))
        let phone = try await TestPhone(configuration, over: network)
        network.next(.lostAnswer)  // The server acts, and the phone never hears of it.
        // Listing ends
        return (phone, network)
    }

    public static func enclave(_ configuration: Configuration) async throws -> FakeEnclave {
        // Listing begins
        let enclave = FakeEnclave(sensors: [.face])
        let phone = try await TestPhone(configuration, enclave: enclave)
        enclave.next(.noMatch)  // The next dialog fails; those after it match.
        enclave.enroll("another face")
        enclave.removePasscode()
        await phone.client.localData.refresh()
        // Listing ends
        return phone.enclave
    }

    public static func clock() async throws -> Duration {
        // Listing begins
        let clock = VirtualClock()
        let wait = Task { try await clock.sleep(for: .seconds(60)) }
        try await clock.advanceWhenAwaited(by: .seconds(60))
        try await wait.value
        // Listing ends
        return clock.now
    }
}

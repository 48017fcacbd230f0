// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

import MobileAuthentication
import MobileAuthenticationTestKit

/// Listings of pretended phones and their users; each returns what a test would look at.
@MainActor
public enum TestKitListings {
    public static func phone(_ configuration: Configuration) async throws -> TestPhone {
        // Listing: MobileAuthenticationTestKit.md
        return phone
    }

    public static func user(_ phone: TestPhone) async throws -> Int {
        // Listing: ScriptedUser.swift
        return asked
    }

    public static func network(_ configuration: Configuration) async throws -> (TestPhone, FaultyTransport) {
        // Listing: FaultyTransport.swift
        return (phone, network)
    }

    public static func enclave(_ configuration: Configuration) async throws -> FakeEnclave {
        // Listing: FakeEnclave.swift
        return phone.enclave
    }

    public static func clock() async throws -> Duration {
        // Listing: VirtualClock.swift
        return clock.now
    }

    public static func backend() async throws -> OutOfBandPayload {
        // Listing: TestBackend.swift
        return payload
    }
}

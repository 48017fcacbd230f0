// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

import MobileAuthentication
import TamperGuards

/// Listings of the guards; each returns what it has made.
public enum TamperGuardListings {
    public static func client() async throws -> (any MobileAuthenticationClient, GuardNetwork) {
        // Listing: TamperGuards.md
        return (client, guards)
    }

    public static func policy() -> GuardPolicy {
        // Listing: GuardPolicy.swift
        return policy
    }

    public static func finding() -> GuardFinding {
        // Listing: GuardFinding.swift
        return finding
    }

    public static var guardOfOnesOwn: any TamperGuard { KeyboardGuard() }
}

// Listing: TamperGuard.swift

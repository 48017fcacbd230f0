// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

import MobileAuthentication
import TamperGuards

/// Listings of the guards; each returns what it has made.
public enum TamperGuardListings {
    public static func client() async throws -> (any MobileAuthenticationClient, GuardNetwork) {
        // Listing begins
        let guards = GuardNetwork()
        guards.start()
        let client = try await MobileAuthenticationClientInitializer()
            .configuration(Configuration(authCloudHostname: "instance.mauth.example"))
            .deviceProtection { try guards.check() }
            .perform()
        // Listing ends
        return (client, guards)
    }

    public static func policy() -> GuardPolicy {
        // Listing begins
        var policy = GuardPolicy.release
        policy[.debugger] = .throwError
        policy.allowances.objects = ["/usr/lib/libjemalloc.so"]
        // Listing ends
        return policy
    }

    public static func finding() -> GuardFinding {
        // Listing begins
        let finding = GuardFinding(
            .hook, "hook.keyboard", weight: 50, evidence: "a foreign keyboard reads what is typed")
        // Listing ends
        return finding
    }

    public static var guardOfOnesOwn: any TamperGuard { KeyboardGuard() }
}

// Listing begins
struct KeyboardGuard: TamperGuard {
    let kind = GuardFinding.Kind.hook

    func inspect(_ extent: TamperGuardExtent) -> TamperGuardResult {
        guard extent != .operation else { return .clear }
        return TamperGuardResult(unknown: ["this system does not name its keyboards"])
    }
}
// Listing ends

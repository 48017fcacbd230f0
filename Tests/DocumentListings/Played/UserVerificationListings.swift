// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

import HardwareKeys
import UserVerificationLinux

/// Listings of the passcode and the finger on Linux.
public enum UserVerificationListings {
    /// Needs the PAM service of the machine, so it is built and not run.
    public static func presence(_ window: Window) async throws -> UserPresenceProof {
        // Listing: UserVerificationLinux.md
        return proof
    }

    public static func entry(_ window: Window) -> any PasscodeEntry { PasscodeWindow(window: window) }

    public static func dialog(_ window: Window) -> any FingerDialog { FingerWindow(window: window) }

    /// Needs a machine with a sensor and a user, so it is built and not run.
    public static func sensor(_ window: Window) async throws -> Int? {
        // Listing: FprintdSensor.swift
        return fingers.names.count
    }
}

/// Window of an application, in which a user types the same for every question.
public struct Window: Sendable {
    let typed: String?
    let show: @Sendable (String) -> Void

    /// A user who types a text, or closes the window; `show` hears what stands in it.
    public init(typed: String?, show: @escaping @Sendable (String) -> Void) {
        self.typed = typed
        self.show = show
    }

    func ask(_ question: String) async -> String? {
        show(question)
        return typed
    }
}

// Listing: Passcode.swift

// Listing: FingerDialog.swift

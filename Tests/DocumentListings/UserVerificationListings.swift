// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

import HardwareKeys
import UserVerificationLinux

/// Listings of the passcode and the finger on Linux.
public enum UserVerificationListings {
    /// Needs the PAM service of the machine, so it is built and not run.
    public static func presence(_ window: Window) async throws -> UserPresenceProof {
        // Listing begins
        let presence = LinuxUserPresence(
            passcodeEntry: PasscodeWindow(window: window), dialog: FingerWindow(window: window))
        let proof = try await presence.confirm(.devicePasscode, prompt: PresencePrompt(reason: "Sign in to the bank"))
        // Listing ends
        return proof
    }

    public static func entry(_ window: Window) -> any PasscodeEntry { PasscodeWindow(window: window) }

    public static func dialog(_ window: Window) -> any FingerDialog { FingerWindow(window: window) }

    /// Needs a machine with a sensor and a user, so it is built and not run.
    public static func sensor(_ window: Window) async throws -> Int? {
        // Listing begins
        let sensor = FprintdSensor { problem in window.show(problem.description) }
        guard case .enrolled(let fingers) = try await sensor.status() else { return nil }
        try await sensor.scan { progress in
            if progress == .ready { window.show("Touch the sensor") }
        }
        // Listing ends
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

// Listing begins
struct PasscodeWindow: PasscodeEntry {
    let window: Window

    func passcode(_ prompt: PresencePrompt) async throws(UserPresenceError) -> Passcode {
        guard let typed = await window.ask(prompt.reason) else { throw .cancelled }
        guard let passcode = Passcode(copying: typed.utf8) else { throw .mismatch }
        return passcode
    }
}
// Listing ends

// Listing begins
struct FingerWindow: FingerDialog {
    let window: Window

    func show(_ prompt: PresencePrompt, _ progress: AsyncStream<ScanProgress>) async -> FingerDialogAnswer {
        window.show(prompt.reason)
        for await step in progress {
            if case .retry = step { window.show("Once more") }
        }
        return .cancelled
    }
}
// Listing ends

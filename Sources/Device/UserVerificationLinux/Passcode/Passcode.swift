public import HardwareKeys
import Octets

/// Passcode that a user entered; wiped at the end of its lifetime.
///
/// It has no description and no coding.
public final class Passcode: Sendable {
    /// The most bytes that PAM takes.
    public static let maximumByteCount = 511

    private let octets: SecretOctets

    /// Takes a copy of what the user typed, in UTF-8; wiping the source is the caller's business.
    ///
    /// It is nil when no password of an account could look so: more than ``maximumByteCount`` bytes, or control
    /// characters, with which a module would read less than the user typed. An empty one is taken.
    public init?(copying bytes: some Collection<UInt8>) {
        guard bytes.count <= Self.maximumByteCount, bytes.allSatisfy({ $0 >= 0x20 && $0 != 0x7f }) else { return nil }
        octets = SecretOctets(copying: bytes)
    }

    var isEmpty: Bool { octets.count == 0 }

    var count: Int { octets.count }

    func withUnsafeBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        octets.withUnsafeBytes(body)
    }
}

/// Prompt in which a user types the passcode of their device: a window, a terminal.
///
/// ```swift
/// struct PasscodeWindow: PasscodeEntry {
///     let window: Window
///
///     func passcode(_ prompt: PresencePrompt) async throws(UserPresenceError) -> Passcode {
///         guard let typed = await window.ask(prompt.reason) else { throw .cancelled }
///         guard let passcode = Passcode(copying: typed.utf8) else { throw .mismatch }
///         return passcode
///     }
/// }
/// ```
public protocol PasscodeEntry: Sendable {
    /// Asks for the passcode in these words; ends when its task is cancelled.
    ///
    /// Throws `UserPresenceError.cancelled` when the user does not want to, and
    /// `UserPresenceError.mismatch` when what they typed cannot be a passcode.
    func passcode(_ prompt: PresencePrompt) async throws(UserPresenceError) -> Passcode
}

public import Foundation

/// The passcode of the device as a fallback, and the loss of the key with a new finger or face, exclude each other.
///
/// It comes as the cause of an `Unknown` error, before anything was sent. Only the Android and Linux profiles refuse
/// the pair.
public struct ConflictingOptionsError: LocalizedError, Hashable, Sendable {
    /// Creates the value; it has no parts.
    public init() {}

    /// Description of the error for developers.
    public var errorDescription: String? {
        "allowDevicePasscodeAsFallback and invalidateOnNewOsBiometrics exclude each other."
    }
}

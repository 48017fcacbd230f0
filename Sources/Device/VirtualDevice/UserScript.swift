package import MobileAuthentication

/// What the user of a virtual device does.
package struct UserScript: Sendable {
    /// Why a PIN is asked for.
    @nonexhaustive
    package enum PinRequest: Sendable {
        /// To be chosen; the error says why the last one was refused.
        case enrollment(PinEnrollmentError?)
        /// To be entered.
        case verification(PinAuthenticatorProtectionStatus)
    }

    /// Gives the PIN, or nil to cancel; called again when the last one was not accepted.
    package var pin: @Sendable (PinRequest) async -> SecretBytes?
    /// The AAID to choose; nil for the first one that the server accepts.
    package var aaid: String?
    /// What a new PIN has to be.
    package var policy: any PinPolicy & Sendable
    /// Told what happens.
    package var progress: @Sendable (DeviceProgress) -> Void = { _ in }

    /// A user who gives PINs.
    package init(
        policy: any PinPolicy & Sendable = LengthPinPolicy(digits: 6...6),
        pin: @escaping @Sendable (PinRequest) async -> SecretBytes?
    ) {
        self.policy = policy
        self.pin = pin
    }

    /// A user who gives one PIN once and cancels when it is not accepted.
    package static func entering(_ pin: SecretBytes) -> UserScript {
        UserScript { request in
            switch request {
            case .enrollment(nil), .verification(.Unlocked): pin
            default: nil
            }
        }
    }
}

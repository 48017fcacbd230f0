public import HardwareKeys

extension SecureStorage {
    /// User verification demanded before a storage is opened; the raw value is what the file records.
    @nonexhaustive
    public enum Protection: UInt8, Hashable, Sendable {
        /// Nothing.
        case none = 0
        /// The passcode of the device.
        case devicePasscode = 1
        /// A finger or face that is enrolled at the moment.
        case biometryAny = 2
        /// A finger or face; any change of what is enrolled loses the storage for good.
        case biometryCurrentSet = 3
        /// A finger, a face or the passcode, as the user likes.
        case userPresence = 4

        /// The same as ``biometryCurrentSet``.
        public static let currentBiometrySet = Protection.biometryCurrentSet

        /// The gate that a user passes; nil for ``none``.
        public var gate: UserGate? {
            switch self {
            case .none: nil
            case .devicePasscode: .devicePasscode
            case .biometryAny: .biometryAny
            case .biometryCurrentSet: .biometryCurrentSet
            case .userPresence: .userPresence
            }
        }
    }

    /// Options of ``writeBiometryProtected(_:)``.
    public struct BiometryOptions: Hashable, Sendable {
        /// Validity of a user verification, during which values can be read.
        ///
        /// Then getters throw `userPresenceFailed(.expired)` until ``SecureStorage/load(_:fingerprint:passphrase:)``. A
        /// millisecond to a day; values outside are clamped.
        public var reauthenticationTimeout: Duration
        /// Whether the passcode of the device serves as well; then ``invalidateOnNewEnrollment`` has no effect.
        public var allowDeviceCredentialFallback: Bool
        /// Whether any change of what is enrolled loses the storage for good.
        public var invalidateOnNewEnrollment: Bool

        /// Sets the options.
        public init(
            reauthenticationTimeout: Duration = .seconds(30), allowDeviceCredentialFallback: Bool = false,
            invalidateOnNewEnrollment: Bool = true
        ) {
            self.reauthenticationTimeout = reauthenticationTimeout
            self.allowDeviceCredentialFallback = allowDeviceCredentialFallback
            self.invalidateOnNewEnrollment = invalidateOnNewEnrollment
        }

        var protection: Protection {
            if allowDeviceCredentialFallback { return .userPresence }
            return invalidateOnNewEnrollment ? .biometryCurrentSet : .biometryAny
        }
    }
}

extension SecureStorage.Protection: CustomStringConvertible {
    /// Name of the case.
    public var description: String {
        switch self {
        case .none: "none"
        case .devicePasscode: "devicePasscode"
        case .biometryAny: "biometryAny"
        case .biometryCurrentSet: "biometryCurrentSet"
        case .userPresence: "userPresence"
        }
    }
}

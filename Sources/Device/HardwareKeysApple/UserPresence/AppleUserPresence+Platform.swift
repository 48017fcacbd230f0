#if canImport(LocalAuthentication) && canImport(CryptoKit)
    import Foundation
    public import HardwareKeys
    import LocalAuthentication

    extension AppleUserPresence: PlatformPresence, AuthenticatorPlatform, DeviceLock {
        /// What the device has and the user has set up, as the system tells it at once.
        public func support(for verification: PlatformVerification) async -> PlatformSupport {
            Self.support(for: verification)
        }

        /// What the device has and the user has set up now.
        public func supportAtOnce(for verification: PlatformVerification) -> PlatformSupport? {
            Self.support(for: verification)
        }

        /// Whether the device has a passcode; unknown where the system says neither.
        public func status() async -> DeviceLockStatus {
            switch Self.obstacle(to: .deviceOwnerAuthentication, in: LAContext()) {
            case nil: .present
            case .passcodeNotSet: .absent
            default: .unknown
            }
        }

        private static func support(for verification: PlatformVerification) -> PlatformSupport {
            let context = LAContext()
            return switch verification {
            case .fingerprint: biometry(.touchID, in: context)
            case .face: biometry(.faceID, in: context)
            case .devicePasscode:
                PlatformSupport(
                    isSupportedByHardware: true, isSupportedByOs: true,
                    isEnrolled: obstacle(to: .deviceOwnerAuthentication, in: context) != .passcodeNotSet)
            }
        }

        /// A sensor of a kind; a device has one kind or none.
        ///
        /// What the user forbade this application in the settings counts as not enrolled: there it can be changed.
        private static func biometry(_ sensor: LABiometryType, in context: LAContext) -> PlatformSupport {
            let obstacle = obstacle(to: .deviceOwnerAuthenticationWithBiometrics, in: context)
            // The type is known only after the question.
            guard context.biometryType == sensor else {
                return PlatformSupport(isSupportedByHardware: false, isSupportedByOs: true, isEnrolled: false)
            }
            return PlatformSupport(
                isSupportedByHardware: true, isSupportedByOs: true,
                isEnrolled: obstacle == nil || obstacle == .biometryLockout)
        }

        /// Why the user could not pass a policy now; nil when they could.
        private static func obstacle(to policy: LAPolicy, in context: LAContext) -> LAError.Code? {
            var error: NSError?
            guard !context.canEvaluatePolicy(policy, error: &error) else { return nil }
            return error.flatMap { LAError.Code(rawValue: $0.code) } ?? .biometryNotAvailable
        }
    }
#endif

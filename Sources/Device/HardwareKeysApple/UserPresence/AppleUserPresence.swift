#if canImport(LocalAuthentication) && canImport(CryptoKit)
    import Foundation
    public import HardwareKeys
    import LocalAuthentication

    /// Asks the user with Face ID, Touch ID or the passcode of the device.
    ///
    /// The proof carries the authenticated context: the Secure Enclave itself checks that the user passed, so one
    /// question serves the uses of a key that follow, and a proof of this process's own making serves none.
    ///
    /// ```swift
    /// guard let presence = AppleUserPresence(reason: "Sign in to the bank") else { return nil }
    /// let proof = try await presence.confirm(.userPresence, prompt: PresencePrompt(reason: "Pay 120 CHF to Anna"))
    /// ```
    public struct AppleUserPresence: UserPresence {
        private let reason: String

        /// Takes the sentence that the system shows to the user, in their language; nil when it is empty.
        public init?(reason: String) {
            guard !reason.isEmpty else { return nil }
            self.reason = reason
        }

        /// Asks the user to pass the gate and returns the proof.
        ///
        /// Throws `UserPresenceError`; a cancelled task ends the question.
        public func confirm(_ gate: UserGate) async throws(UserPresenceError) -> UserPresenceProof {
            try await confirm(gate, prompt: PresencePrompt(reason: reason))
        }

        /// Asks the user with the prompt of the caller; without a reason with this value's.
        ///
        /// Throws `UserPresenceError`; a cancelled task ends the question.
        public func confirm(
            _ gate: UserGate, prompt: PresencePrompt
        ) async throws(UserPresenceError) -> UserPresenceProof {
            guard let control = try? EnclaveAccess.control(behind: gate) else { throw .unavailable }
            let asked = AuthenticatedContext(prompt)
            let reason = prompt.reason.isEmpty ? reason : prompt.reason
            let refusal = await withTaskCancellationHandler {
                await asked.evaluate(control, reason: reason)
            } onCancel: {
                asked.invalidate()
            }
            guard !Task.isCancelled else { throw .cancelled }
            if let refusal { throw refusal }
            return UserPresenceProof(gate: gate, context: asked)
        }

        /// SHA-256 over what the system says about the enrolled fingers or faces.
        ///
        /// Throws `UserPresenceError/unavailable` when none is enrolled, and `UserPresenceError/lockedOut` while
        /// the sensor is locked: then the system does not tell it.
        public func enrollmentDigest() async throws(UserPresenceError) -> [UInt8] {
            try BiometricEnrollment.digest()
        }
    }

    extension AppleUserPresence: PlatformPresence, AuthenticatorPlatform, DeviceLock {
        /// Hardware and enrolment state of the device; the system tells it at once.
        public func support(for verification: PlatformVerification) async -> PlatformSupport {
            Self.support(for: verification)
        }

        /// Present hardware and enrolment state of the device.
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
        /// A sensor that the user denied to this application in the settings counts as not enrolled: there it can be
        /// changed.
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

        private static func obstacle(to policy: LAPolicy, in context: LAContext) -> LAError.Code? {
            var error: NSError?
            guard !context.canEvaluatePolicy(policy, error: &error) else { return nil }
            return error.flatMap { LAError.Code(rawValue: $0.code) } ?? .biometryNotAvailable
        }
    }
#endif

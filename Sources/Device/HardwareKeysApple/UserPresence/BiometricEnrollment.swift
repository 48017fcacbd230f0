#if canImport(LocalAuthentication) && canImport(CryptoKit)
    import CryptoKit
    import Foundation
    import HardwareKeys
    import LocalAuthentication

    /// Passcode and biometric enrolment as LocalAuthentication reports them without asking the user.
    enum BiometricEnrollment {
        /// Answer of the system about what is enrolled.
        private enum Answer {
            case digest([UInt8])
            case obstacle(LAError.Code)
        }

        /// SHA-256 over the state of what is enrolled.
        ///
        /// Throws ``UserPresenceError/unavailable`` when nothing is, and what else keeps the system from telling it.
        static func digest() throws(UserPresenceError) -> [UInt8] {
            switch answer() {
            case .digest(let digest): return digest
            case .obstacle(let code): throw UserPresenceError(code)
            }
        }

        /// Whether something else is enrolled than when a digest was taken; false where the system does not tell it.
        static func hasChanged(since before: [UInt8]) -> Bool {
            switch answer() {
            case .digest(let digest): digest != before
            case .obstacle(let code): code == .biometryNotEnrolled
            }
        }

        private static func answer() -> Answer {
            let context = LAContext()
            var error: NSError?
            // Not its successor domainState, which iOS 18 and macOS 15 brought: nothing promises that the two are equal,
            // and if they are not, an upgrade of the system looks like new fingers.
            guard context.canEvaluatePolicy(.deviceOwnerAuthenticationWithBiometrics, error: &error),
                let state = context.evaluatedPolicyDomainState
            else { return .obstacle(error.flatMap { LAError.Code(rawValue: $0.code) } ?? .biometryNotAvailable) }
            return .digest(Array(SHA256.hash(data: state)))
        }

        /// Enrolment stored with a key behind `gate`: the digest where the enrolled set counts, otherwise nothing.
        ///
        /// Throws when no user could pass the gate on this device as it is now.
        static func remembered(behind gate: UserGate) throws(KeyVaultError) -> [UInt8] {
            let isBiometric = gate == .biometryAny || gate == .biometryCurrentSet
            var error: NSError?
            guard
                LAContext().canEvaluatePolicy(
                    isBiometric ? .deviceOwnerAuthenticationWithBiometrics : .deviceOwnerAuthentication, error: &error)
            else {
                throw .userPresence(
                    error.flatMap { LAError.Code(rawValue: $0.code) }.map { UserPresenceError($0) } ?? .unavailable)
            }
            guard gate == .biometryCurrentSet else { return [] }
            do throws(UserPresenceError) {
                return try digest()
            } catch {
                throw .userPresence(error)
            }
        }
    }
#endif

#if canImport(LocalAuthentication) && canImport(CryptoKit)
    import CryptoKit
    import Foundation
    import HardwareKeys
    import LocalAuthentication

    /// Passcode and biometric enrolment as LocalAuthentication reports them without asking the user.
    enum BiometricEnrollment {
        /// SHA-256 over the state of what is enrolled; nil when nothing is.
        static func digest() -> [UInt8]? {
            // The successor of evaluatedPolicyDomainState, which is deprecated since iOS 18 and macOS 15.
            LAContext().domainState.biometry.stateHash.map { Array(SHA256.hash(data: $0)) }
        }

        /// Enrolment stored with a key behind `gate`: the digest where the enrolled set counts, otherwise nothing.
        ///
        /// Throws when nobody could pass the gate on this device as it is now.
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
            guard let digest = digest() else { throw .userPresence(.unavailable) }
            return digest
        }
    }
#endif

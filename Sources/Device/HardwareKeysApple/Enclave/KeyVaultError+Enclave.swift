#if canImport(LocalAuthentication) && canImport(CryptoKit)
    import Foundation
    import HardwareKeys
    import LocalAuthentication
    import Security

    extension KeyVaultError {
        /// Maps a refusal of the Secure Enclave, which reports in the errors of three frameworks.
        init(refusal error: any Error) {
            // By way of Any the cast compiles without a warning also where every error is an NSError.
            guard let error = error as Any as? NSError else {
                self = .unrecoverable
                return
            }
            switch error.domain {
            case LAError.errorDomain:
                self = .userPresence(LAError.Code(rawValue: error.code).map { UserPresenceError($0) } ?? .notResponding)
            case NSOSStatusErrorDomain: self = KeyVaultError(status: OSStatus(truncatingIfNeeded: error.code))
            case "CryptoTokenKit": self = KeyVaultError(tokenErrorCode: error.code)
            default: self = .unrecoverable
            }
        }

        /// The codes of TKError, by number: the framework itself does not exist on every platform.
        private init(tokenErrorCode code: Int) {
            switch code {
            case -3, -6, -8: self = .unrecoverable  // corruptedData, objectNotFound, badParameter
            case -2, -7: self = .hardwareUnavailable  // communicationError, tokenNotFound
            case -4: self = .userPresence(.cancelled)  // canceledByUser
            case -5: self = .userPresence(.mismatch)  // authenticationFailed
            case -9: self = .userPresence(.expired)  // authenticationNeeded
            default: self = .hardwareFailed(code: UInt32(truncatingIfNeeded: code))
            }
        }

        /// Whether a changed enrolment explains the refusal better than the Enclave did.
        var mayHideChangedEnrollment: Bool {
            switch self {
            case .unrecoverable, .hardwareFailed, .userPresence(.mismatch), .userPresence(.expired): true
            default: false
            }
        }
    }
#endif

#if canImport(LocalAuthentication)
    import Foundation
    import HardwareKeys
    import LocalAuthentication
    import Security

    /// A context in which the user passed a gate; the proof carries it and the Enclave judges it.
    final class AuthenticatedContext: @unchecked Sendable {
        // Sendable by this rule: the context is written by init and evaluate only, in the one task that makes the proof and
        // before the proof exists. Code that shares it then reads it or ends it, which LocalAuthentication allows on any thread.
        let context = LAContext()

        /// A context in which no user has passed anything, with the titles of the buttons.
        init(_ prompt: PresencePrompt) {
            context.localizedFallbackTitle = prompt.fallbackTitle
            context.localizedCancelTitle = prompt.cancelTitle
        }

        /// Asks the user and returns the error that kept them from passing, nil when they passed; afterwards the
        /// context asks nothing by itself.
        func evaluate(_ control: SecAccessControl, reason: String) async -> UserPresenceError? {
            let refusal = await withCheckedContinuation { continuation in
                context.evaluateAccessControl(control, operation: .useKeySign, localizedReason: reason) {
                    passed, error in
                    continuation.resume(returning: passed ? nil : UserPresenceError(refusal: error))
                }
            }
            if refusal == nil { context.interactionNotAllowed = true }
            return refusal
        }

        /// Ends a question that waits for the user, and the worth of the context.
        func invalidate() { context.invalidate() }
    }

    extension UserPresenceError {
        fileprivate init(refusal error: (any Error)?) {
            // By way of Any the cast compiles without a warning also where every error is an NSError.
            guard let error = error as Any as? NSError, error.domain == LAError.errorDomain,
                let code = LAError.Code(rawValue: error.code)
            else {
                self = .notResponding
                return
            }
            self.init(code)
        }
    }

    extension UserPresenceError {
        init(_ code: LAError.Code) {
            switch code {
            case .userCancel, .appCancel: self = .cancelled
            case .userFallback: self = .fallbackChosen
            case .authenticationFailed: self = .mismatch
            case .biometryLockout: self = .lockedOut
            case .passcodeNotSet, .biometryNotAvailable, .biometryNotEnrolled: self = .unavailable
            case .invalidContext, .notInteractive: self = .expired
            default: self = .notResponding
            }
        }
    }
#endif

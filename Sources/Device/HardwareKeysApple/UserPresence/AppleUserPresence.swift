#if canImport(LocalAuthentication) && canImport(CryptoKit)
    public import HardwareKeys

    /// Asks the user with Face ID, Touch ID or the passcode of the device.
    ///
    /// The proof carries the authenticated context: the Secure Enclave itself checks that the user passed, so one question
    /// serves the uses of a key that follow, and a proof of this process's own making serves none.
    public struct AppleUserPresence: UserPresence {
        private let reason: String

        /// Takes the sentence that the system shows to the user, in his language; nil when it is empty.
        public init?(reason: String) {
            guard !reason.isEmpty else { return nil }
            self.reason = reason
        }

        /// Asks the user to pass the gate and returns the proof.
        ///
        /// Throws ``UserPresenceError``; a cancelled task ends the question.
        public func confirm(_ gate: UserGate) async throws(UserPresenceError) -> UserPresenceProof {
            try await confirm(gate, prompt: PresencePrompt(reason: reason))
        }

        /// Asks the user in the words of the caller; without a reason in those of this value.
        ///
        /// Throws ``UserPresenceError``; a cancelled task ends the question.
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
        /// Throws ``UserPresenceError/unavailable`` when none is enrolled.
        public func enrollmentDigest() async throws(UserPresenceError) -> [UInt8] {
            guard let digest = BiometricEnrollment.digest() else { throw .unavailable }
            return digest
        }
    }
#endif

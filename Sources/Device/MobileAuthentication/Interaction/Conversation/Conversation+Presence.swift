import UAF
import UAFClient

extension Conversation {
    func presence(_ question: PresenceQuestion) async throws(CeremonyFailure) -> UserAnswer<PresenceRequest> {
        let snapshot = try await environment.store.snapshot().authenticator(question.aaid)
        switch question.kind {
        case .Fingerprint, .FaceRecognition, .Pin, .Password:
            if question.kind == .Fingerprint, let listener = participants.fingerprintListener(environment.traits) {
                return await finger(question, snapshot, listener)
            }
            let context = PresenceQuestionState(snapshot: snapshot)
            return try await ask(participants.biometricUserVerifier, "biometricUserVerifier", question.limit) {
                $0.verifyBiometric(context: context, handler: PresenceAnswer($1))
            }
        case .DevicePasscode:
            let context = PresenceQuestionState(snapshot: snapshot)
            return try await ask(participants.devicePasscodeUserVerifier, "devicePasscodeUserVerifier", question.limit)
            {
                $0.verifyDevicePasscode(context: context, handler: PresenceAnswer($1))
            }
        }
    }

    private func finger(
        _ question: PresenceQuestion, _ snapshot: AuthenticatorSnapshot,
        _ listener: MainActorBox<any FingerprintUserVerifier>
    ) async -> UserAnswer<PresenceRequest> {
        let error: FingerprintUserVerificationError? =
            question.wasMismatch
            ? .FingerprintNotRecognized(description: SDKText.unrecognizedFinger.localized, cause: nil) : nil
        let context = FingerprintUserVerificationState(snapshot: snapshot, lastRecoverableError: error)
        return await dialog.ask(question.limit) { slot in
            listener.content.verifyFingerprint(context: context, handler: PresenceAnswer(slot))
        }
    }

    /// Runs work in which the operating system verifies the user; it has the time-out of a question.
    func attend<Value: Sendable>(
        _ request: PresenceRequest, _ limit: QuestionLimit,
        _ work: @escaping @Sendable () async throws(CeremonyFailure) -> Value
    ) async throws(CeremonyFailure) -> Value {
        let attempt: @Sendable () async -> Result<Value, CeremonyFailure> = {
            do throws(CeremonyFailure) {
                return .success(try await work())
            } catch {
                return .failure(error)
            }
        }
        return try await dialog.await(limit) {
            if let listening = request.listening { await listening.run(attempt) } else { await attempt() }
        }.get()
    }

    /// Notifies the application that the user's entry was accepted.
    func notifySuccess(_ kind: AuthenticatorAaid, during phase: Phase) async {
        let observer: MainActorBox<any ValidCredentialsObserver>? =
            switch (kind, phase) {
            case (.Pin, .enrollment): participants.pinEnroller?.viewed { $0 }
            case (.Pin, .verification): participants.pinUserVerifier?.viewed { $0 }
            case (.Pin, .change): participants.pinChanger?.viewed { $0 }
            case (.Password, .enrollment): participants.passwordEnroller?.viewed { $0 }
            case (.Password, .verification): participants.passwordUserVerifier?.viewed { $0 }
            case (.Password, .change): participants.passwordChanger?.viewed { $0 }
            case (.DevicePasscode, _): participants.devicePasscodeUserVerifier?.viewed { $0 }
            case (.FaceRecognition, _): participants.biometricUserVerifier?.viewed { $0 }
            case (.Fingerprint, _):
                participants.fingerprintListener(environment.traits)?.viewed { $0 }
                    ?? participants.biometricUserVerifier?.viewed { $0 }
            }
        guard let observer else { return }
        await MainActor.run { observer.content.onValidCredentialsProvided() }
    }

    /// Purpose of the user's entry.
    enum Phase {
        case enrollment
        case verification
        case change
    }
}

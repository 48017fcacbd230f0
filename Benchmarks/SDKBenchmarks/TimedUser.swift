import MobileAuthentication

/// User who takes twenty milliseconds for every answer, with a stopwatch.
@MainActor
final class TimedUser {
    private let watch: Stopwatch
    private let thinking = Duration.milliseconds(20)
    private var pin = "482915"
    private var otherPin = "591820"

    nonisolated init(_ watch: Stopwatch) { self.watch = watch }

    private func think(_ answer: @escaping @MainActor () -> Void) {
        let start = ContinuousClock.now
        Task { [thinking, watch] in
            try? await Task.sleep(for: thinking)
            watch.add(start.duration(to: .now))
            answer()
        }
    }
}

extension TimedUser: AuthenticatorSelector {
    func selectAuthenticator(
        context: any AuthenticatorSelectionContext, handler: any AuthenticatorSelectionHandler
    ) {
        let accepted = context.authenticators.first { context.isPolicyCompliant(authenticatorAaid: $0.aaid) }
        think { if let accepted { handler.aaid(accepted.aaid) } else { handler.cancel() } }
    }
}

extension TimedUser: PinEnroller, PinUserVerifier, PinChanger {
    func enrollPin(context: any PinEnrollmentContext, handler: any PinEnrollmentHandler) {
        let pin = pin
        think { handler.pin(pin) }
    }

    func verifyPin(context: any PinUserVerificationContext, handler: any PinUserVerificationHandler) {
        let pin = pin
        think { handler.verify(pin) }
    }

    /// Changes the PIN to the other of two, and back the next time.
    func changePin(context: any PinChangeContext, handler: any PinChangeHandler) {
        let (old, new) = (pin, otherPin)
        (pin, otherPin) = (new, old)
        think { handler.pins(old, new) }
    }
}

extension TimedUser: BiometricUserVerifier {
    func verifyBiometric(
        context: any BiometricUserVerificationContext, handler: any BiometricUserVerificationHandler
    ) {
        think { handler.verify() }
    }
}

import MobileAuthentication

/// Answers the questions of the SDK by a script.
@MainActor
final class ScriptedUser: AuthenticatorSelector, PinEnroller, PinUserVerifier {
    private let script: UserScript

    nonisolated init(_ script: UserScript) {
        self.script = script
    }

    func selectAuthenticator(
        context: any AuthenticatorSelectionContext, handler: any AuthenticatorSelectionHandler
    ) {
        let accepted = context.authenticators.map(\.aaid).filter { context.isPolicyCompliant(authenticatorAaid: $0) }
        script.progress(.authenticatorsOffered(accepted))
        guard let aaid = script.aaid ?? accepted.first else { return handler.cancel() }
        script.progress(.authenticatorChosen(aaid))
        handler.aaid(aaid)
    }

    func pinPolicy() -> any PinPolicy { script.policy }

    func enrollPin(context: any PinEnrollmentContext, handler: any PinEnrollmentHandler) {
        let refusal = context.lastRecoverableError
        script.progress(.newPinAsked(refusal))
        Task { [script] in
            guard let pin = await script.pin(.enrollment(refusal)) else { return handler.cancel() }
            handler.pin(pin)
        }
    }

    func verifyPin(context: any PinUserVerificationContext, handler: any PinUserVerificationHandler) {
        let status = context.authenticatorProtectionStatus
        script.progress(.pinAsked(status))
        Task { [script] in
            guard let pin = await script.pin(.verification(status)) else { return handler.cancel() }
            handler.verify(pin)
        }
    }

    func onValidCredentialsProvided() { script.progress(.pinAccepted) }
}

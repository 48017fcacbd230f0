@testable import MobileAuthentication

/// A user who has PINs at hand and cancels when they run out; remembers what was asked.
@MainActor
final class TestUser: AuthenticatorSelector, PinEnroller, PinUserVerifier {
    private var pins: [String]
    private let aaid: String?
    /// Called before each answer.
    var interruption: (@MainActor () -> Void)?
    private(set) var selections: [any AuthenticatorSelectionContext] = []
    private(set) var refusals: [PinEnrollmentError?] = []
    private(set) var statuses: [PinAuthenticatorProtectionStatus] = []
    private(set) var acceptances = 0

    init(pins: [String], aaid: String? = "F1D0#1001") {
        self.pins = pins
        self.aaid = aaid
    }

    func selectAuthenticator(
        context: any AuthenticatorSelectionContext, handler: any AuthenticatorSelectionHandler
    ) {
        selections.append(context)
        interruption?()
        guard let aaid else { return handler.cancel() }
        handler.aaid(aaid)
    }

    func enrollPin(context: any PinEnrollmentContext, handler: any PinEnrollmentHandler) {
        refusals.append(context.lastRecoverableError)
        guard let pin = nextPin() else { return handler.cancel() }
        handler.pin(pin)
        handler.cancel()
    }

    func verifyPin(context: any PinUserVerificationContext, handler: any PinUserVerificationHandler) {
        statuses.append(context.authenticatorProtectionStatus)
        guard let pin = nextPin() else { return handler.cancel() }
        handler.verify(pin)
    }

    func onValidCredentialsProvided() { acceptances += 1 }

    private func nextPin() -> String? { pins.isEmpty ? nil : pins.removeFirst() }
}

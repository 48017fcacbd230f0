import MobileAuthentication

/// The screens of the application as a person uses them: each question that comes is answered once.
@MainActor
final class PlayedScreens {
    /// Counts what the application navigates to.
    final class Coordinator: AppCoordinator {
        private(set) var credentialCount = 0
        private(set) var authenticatorCount = 0
        private(set) var accountCount = 0

        override func navigate(_ parameter: CredentialParameter) {
            super.navigate(parameter)
            credentialCount += 1
        }

        override func navigate(_ handler: AuthenticatorSelectionHandler) {
            super.navigate(handler)
            authenticatorCount += 1
        }

        override func navigate(_ handler: AccountSelectionHandler) {
            super.navigate(handler)
            accountCount += 1
        }
    }

    let coordinator = Coordinator()
    private let name: String
    private var pin = (old: "482915", new: "482915")
    private var answered = (credentials: 0, authenticators: 0, accounts: 0)

    init(name: String) { self.name = name }

    /// Takes another PIN for the next change.
    func change(to next: String) { pin.new = next }

    /// Takes the new PIN for the one that counts.
    func keepNewPin() { pin.old = pin.new }

    /// Answers questions until the application has said something.
    func play(until isDone: () -> Bool) async throws {
        while !isDone() {
            if coordinator.authenticatorCount > answered.authenticators {
                answered.authenticators = coordinator.authenticatorCount
                coordinator.authenticators?.aaid(AuthenticatorAaid.Pin.rawValue)
            }
            if coordinator.accountCount > answered.accounts {
                answered.accounts = coordinator.accountCount
                coordinator.accounts?.username(name)
            }
            if coordinator.credentialCount > answered.credentials, let parameter = coordinator.credential {
                answered.credentials = coordinator.credentialCount
                let presenter = AppCredentialPresenter(parameter: parameter)
                presenter.confirm(old: pin.old, new: pin.new)
                presenter.cancel()
            }
            try await Task.sleep(for: .milliseconds(5))
        }
    }
}

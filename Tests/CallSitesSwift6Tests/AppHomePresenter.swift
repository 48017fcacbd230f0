import MobileAuthentication

/// A screen that starts operations, in the callback form.
@MainActor
final class AppHomePresenter {
    private let provider: ClientProvider
    private let interactions: AppInteractions
    private(set) var messages: [String] = []

    init(provider: ClientProvider, interactions: AppInteractions) {
        self.provider = provider
        self.interactions = interactions
    }

    func initialize(_ configuration: Configuration, handler: @escaping (Result<(), Error>) -> Void) {
        MobileAuthenticationClientInitializer()
            .configuration(configuration)
            .onSuccess { client in
                self.provider.save(client: client)
                handler(.success)
            }
            .onError { error in
                switch error {
                case .NoDeviceLockError: self.messages.append("no lock")
                case .DeviceProtectionError: self.messages.append("tampered")
                default: self.messages.append(error.localizedDescription)
                }
                handler(.failure(error))
            }
            .execute()
    }

    func register(username: Username, cookies: [HTTPCookie]) {
        let client = provider.get()
        let operation = client?.operations.registration
            .username(username)
            .deviceInformation(client?.localData.deviceInformation ?? DeviceInformation(name: "phone"))
            .authorizationProvider(CookieAuthorizationProvider(cookies))
            .authenticatorSelector(interactions)
            .pinEnroller(interactions)
            .passwordEnroller(interactions)
            .biometricUserVerifier(interactions)
            .devicePasscodeUserVerifier(interactions)
            .allowDevicePasscodeAsFallback(true)
            .onSuccess { self.messages.append("registered") }
            .onError { error in self.fail(.registration, error) }
        operation?.execute()
    }

    func authenticate(username: Username) {
        provider.get()?.operations.authentication
            .username(username)
            .retryPolicyObtainingAuthorizationProvider(.constant(maxRetries: 2, delayInSeconds: 1))
            .authenticatorSelector(interactions)
            .pinUserVerifier(interactions)
            .passwordUserVerifier(interactions)
            .biometricUserVerifier(interactions)
            .devicePasscodeUserVerifier(interactions)
            .onSuccess { provider in self.deregister(username: username, provider: provider) }
            .onError { error in self.fail(error) }
            .execute()
    }

    private func fail(_ error: AuthenticationError) {
        switch error {
        case .FidoError(let errorCode, let cause, let sessionProvider):
            messages.append("\(errorCode.description) \(String(describing: cause))")
            note(sessionProvider)
        case .NetworkError(_, let sessionProvider): note(sessionProvider)
        case .AppAttestationError(let cause): messages.append(String(describing: cause))
        case .NoDeviceLockError: messages.append("no lock")
        case .Unknown(let cause): messages.append(String(describing: cause))
        @unknown default: messages.append("other")
        }
    }

    private func note(_ session: SessionProvider?) {
        if let cookies = (session as? CookieSessionProvider)?.cookies { messages.append("\(cookies.count)") }
        if let jwt = (session as? JwtSessionProvider)?.jwt { messages.append(jwt) }
    }

    private func deregister(username: Username, provider authorization: AuthorizationProvider?) {
        let operation = provider.get()?.operations.deregistration
        operation?.username(username)
        if let authorization = authorization { operation?.authorizationProvider(authorization) }
        if let cookies = (authorization as? CookieAuthorizationProvider)?.cookies {
            messages.append("\(cookies.count)")
        }
        operation?.onSuccess { self.messages.append("deregistered") }
        operation?.onError { error in self.fail(.deregistration, error) }
        operation?.execute()
    }

    private func fail(_ operation: Operation, _ error: Error) {
        let failure = OperationFailure(operation: operation, underlyingError: error)
        messages.append(failure.underlyingError.localizedDescription)
    }

    func changePin(username: Username) {
        provider.get()?.operations.pinChange
            .username(username)
            .pinChanger(interactions)
            .onSuccess { self.messages.append("changed") }
            .onError {
                if case .PinLocked = $0 { self.messages.append("locked") }
                if case .UserCanceled = $0 { self.messages.append("canceled") }
            }
            .execute()
    }

    func changePassword(username: Username) {
        provider.get()?.operations.passwordChange
            .username(username)
            .passwordChanger(interactions)
            .onSuccess { self.messages.append("changed") }
            .onError { self.messages.append($0.localizedDescription) }
            .execute()
    }

    func pinUsers() -> [Username] {
        let pin = provider.get()?.localData.authenticators.first { $0.aaid == AuthenticatorAaid.Pin.rawValue }
        guard let enrollment = pin?.userEnrollment as? SdkUserEnrollment else { return [] }
        return enrollment.enrolledAccounts.map { $0.username }
    }

    var accounts: [any Account] { provider.get()?.localData.accounts ?? [] }

    nonisolated func delete(_ username: Username, from data: any LocalData) throws {
        try data.deleteAuthenticator(username: username, aaid: nil)
    }

    var about: String {
        MetaData.mobileAuthenticationVersion.descriptionWithBuild + " " + MetaData.applicationFacetId
    }
}

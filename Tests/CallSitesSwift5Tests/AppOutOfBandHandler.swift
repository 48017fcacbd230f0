import MobileAuthentication

/// Where an application takes QR codes, links and push messages, in the callback form.
@MainActor
final class AppOutOfBandHandler {
    private let provider: ClientProvider
    private let interactions: AppInteractions
    private(set) var messages: [String] = []

    init(provider: ClientProvider, interactions: AppInteractions) {
        self.provider = provider
        self.interactions = interactions
    }

    func handle(base64UrlEncoded: String) {
        provider.get()?.operations.outOfBandPayloadDecode
            .base64UrlEncoded(base64UrlEncoded)
            .onSuccess { payload in self.start(with: payload) }
            .onError { error in self.messages.append(error.localizedDescription) }
            .execute()
    }

    func handle(push json: String, handler: @escaping (Result<OutOfBandPayload, Error>) -> Void) {
        let operation = provider.get()?.operations.outOfBandPayloadDecode
        operation?.json(json)
        operation?.onSuccess { handler(.success($0)) }
        operation?.onError { handler(.failure($0)) }
        operation?.execute()
    }

    private func start(with payload: OutOfBandPayload) {
        let client = provider.get()
        client?.operations.outOfBandOperation
            .payload(payload)
            .onRegistration { registration in
                registration
                    .deviceInformation(client?.localData.deviceInformation ?? DeviceInformation(name: "phone"))
                    .authenticatorSelector(self.interactions)
                    .pinEnroller(self.interactions)
                    .passwordEnroller(self.interactions)
                    .biometricUserVerifier(self.interactions)
                    .devicePasscodeUserVerifier(self.interactions)
                    .onSuccess { self.messages.append("registered") }
                    .onError { self.messages.append($0.localizedDescription) }
                    .execute()
            }
            .onAuthentication { authentication in
                authentication
                    .accountSelector(self.interactions)
                    .authenticatorSelector(self.interactions)
                    .pinUserVerifier(self.interactions)
                    .passwordUserVerifier(self.interactions)
                    .biometricUserVerifier(self.interactions)
                    .devicePasscodeUserVerifier(self.interactions)
                    .onSuccess { authorization in
                        if let jwt = (authorization as? JwtAuthorizationProvider)?.jwt { self.messages.append(jwt) }
                    }
                    .onError { self.messages.append($0.localizedDescription) }
                    .execute()
            }
            .onError { error in
                switch error {
                case .TokenAlreadyRedeemed, .TokenExpired: self.messages.append("scan again")
                default: self.messages.append(error.localizedDescription)
                }
            }
            .execute()
    }

    func register(enrollResponse: String?, appLinkUri: String?) {
        let operation = provider.get()?.operations.authCloudApiRegistration
            .deviceInformation(DeviceInformation(name: "phone"))
            .authenticatorSelector(interactions)
            .pinEnroller(interactions)
            .passwordEnroller(interactions)
            .biometricUserVerifier(interactions)
            .devicePasscodeUserVerifier(interactions)
            .onSuccess { self.messages.append("registered") }
            .onError { self.messages.append($0.localizedDescription) }
        if let enrollResponse = enrollResponse { operation?.enrollResponse(enrollResponse) }
        if let appLinkUri = appLinkUri { operation?.appLinkUri(appLinkUri) }
        operation?.execute()
    }

    func changeName(_ name: String, token: String?, disablePush: Bool) {
        let operation = provider.get()?.operations.deviceInformationChange
            .name(name)
            .retryPolicy(.noRetry)
            .onSuccess { self.messages.append("changed") }
            .onError { self.messages.append($0.localizedDescription) }
        if let token = token { operation?.fcmRegistrationToken(token) }
        if disablePush { operation?.disablePushNotifications() }
        operation?.execute()
    }

    func check() {
        let operations = provider.get()?.operations
        operations?.deviceInformationCheck
            .onResult { result in
                for mismatch in result.mismatches { self.messages.append(String(describing: mismatch)) }
                for error in result.errors { self.messages.append(error.localizedDescription) }
                operations?.deviceInformationSync.mismatches(result.mismatches)
                    .onResult { self.messages.append("\($0.errors.count)") }
                    .execute()
            }
            .execute()
        operations?.pendingOutOfBandOperations
            .onResult { result in
                if let newest = result.operations.first { self.start(with: newest.payload) }
            }
            .execute()
    }
}

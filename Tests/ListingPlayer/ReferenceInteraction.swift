import MobileAuthentication

/// The three ways of the public reference to ask the user (11.3).
///
/// They are objects that adopt the protocols, asynchronous closures, and a stream. Each registers, signs in, and changes the
/// secret where there is one.
@MainActor
struct ReferenceInteraction {
    /// One of the ways.
    enum Way: String {
        case objects
        case closures
        case stream
    }

    let client: any MobileAuthenticationClient
    let name: String
    let person: Person

    /// Plays a way with each kind of authenticator; the session of one allows the next.
    func play(_ way: Way) async throws {
        var session: (any AuthorizationProvider)?
        for kind in [AuthenticatorAaid.Pin, .Password, .Fingerprint, .DevicePasscode] {
            person.wish = kind
            let registration = client.operations.registration.username(name)
                .deviceInformation(DeviceInformation(name: "phone"))
            if let session { registration.authorizationProvider(session) }
            try await register(registration, way)
            session = try await signIn(client.operations.authentication.username(name), way)
            try require(session != nil, "\(kind) signs in")
            try await change(kind, way)
        }
        let owned = client.localData.authenticators.filter { $0.registration.isRegistered(name) }
        person.show("\(way.rawValue) \(owned.map(\.aaid).sorted().joined(separator: " "))")
    }

    private func register(_ operation: any Registration, _ way: Way) async throws {
        switch way {
        case .objects:
            try await operation.authenticatorSelector(person).pinEnroller(person).passwordEnroller(person)
                .biometricUserVerifier(person).devicePasscodeUserVerifier(person).perform()
        case .closures:
            let (aaid, pin, password) = (person.wish.rawValue, person.pin, person.password)
            let selector = AuthenticatorSelection.async { context async throws(CancellationError) -> String in aaid }
            operation.authenticatorSelector(selector)
            operation.pinEnroller(PinEnrollment.async { _ in SecretBytes(pin) })
            operation.passwordEnroller(PasswordEnrollment.async { _ in SecretBytes(password) })
            operation.biometricUserVerifier(BiometricUserVerification.async { _ in nil })
            operation.devicePasscodeUserVerifier(DevicePasscodeUserVerification.async { _ in nil })
            try await operation.perform()
        case .stream:
            try await answering { ui in try await operation.interactions(ui).perform() }
        }
    }

    private func signIn(_ operation: any Authentication, _ way: Way) async throws -> (any AuthorizationProvider)? {
        switch way {
        case .objects:
            return try await operation.authenticatorSelector(person).pinUserVerifier(person)
                .passwordUserVerifier(person).biometricUserVerifier(person).devicePasscodeUserVerifier(person).perform()
        case .closures:
            let (aaid, pin, password) = (person.wish.rawValue, person.pin, person.password)
            operation.authenticatorSelector(AuthenticatorSelection.async { _ in aaid })
            operation.pinUserVerifier(PinUserVerification.async { _ in SecretBytes(pin) })
            operation.passwordUserVerifier(PasswordUserVerification.async { _ in SecretBytes(password) })
            let (finger, passcode) = (
                BiometricPromptOptions(reason: "Sign in"), DevicePasscodePromptOptions(reason: "Sign in")
            )
            operation.biometricUserVerifier(BiometricUserVerification.async { _ in finger })
            operation.devicePasscodeUserVerifier(DevicePasscodeUserVerification.async { _ in passcode })
            return try await operation.perform()
        case .stream:
            return try await answering { ui in try await operation.interactions(ui).perform() }
        }
    }

    private func change(_ kind: AuthenticatorAaid, _ way: Way) async throws {
        if kind == .Pin {
            let (change, old) = (client.operations.pinChange.username(name), person.pin)
            switch way {
            case .objects: try await change.pinChanger(person).perform()
            case .closures:
                try await change.pinChanger(
                    PinReplacement.async { _ in (SecretBytes(old), SecretBytes(Person.nextPin)) }
                ).perform()
            case .stream: try await answering { ui in try await change.interactions(ui).perform() }
            }
            person.change(to: Person.nextPin)
        } else if kind == .Password {
            let (change, old) = (client.operations.passwordChange.username(name), person.password)
            switch way {
            case .objects: try await change.passwordChanger(person).perform()
            case .closures:
                try await change.passwordChanger(
                    PasswordReplacement.async { _ in (SecretBytes(old), SecretBytes(Person.nextPassword)) }
                ).perform()
            case .stream: try await answering { ui in try await change.interactions(ui).perform() }
            }
            person.change(toPassword: Person.nextPassword)
        }
    }
}

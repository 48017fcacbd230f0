import MobileAuthentication

/// Listings of the documentation comments of the SDK; an architecture test compares them with the comments.
@MainActor
struct SymbolListings {
    let person: Person

    /// Configuration for a server whose certificate a private authority has issued.
    static func configuration(_ host: String, _ authority: URL) throws -> Configuration {
        // Listing begins
        var configuration = Configuration(idSuiteHostname: host, userInteractionTimeoutInSeconds: 120)
        configuration.additionalTrustedCertificates = [try Data(contentsOf: authority)]
        // Listing ends
        return configuration
    }

    /// Client whose keys lie where the machine has hardware, and in software elsewhere.
    func preferHardware(_ configuration: Configuration) async throws -> any MobileAuthenticationClient {
        let show = person.show(_:)
        // Listing begins
        let client = try await MobileAuthenticationClientInitializer()
            .configuration(configuration)
            .keyVault(.preferHardware)
            .perform()
        if let warning = client.deviceCapabilities.keyVaultWarning { show(warning) }
        // Listing ends
        return client
    }

    /// Client whose keys lie in a chip that is reached in a way of its own.
    func chip(_ configuration: Configuration) async throws -> any MobileAuthenticationClient {
        // Listing begins
        let client = try await MobileAuthenticationClientInitializer()
            .configuration(configuration)
            .keyVault(.trustedPlatformModule(.environment))
            .perform()
        // Listing ends
        return client
    }

    /// Registers PIN and password with the screens of an application, signs in, and takes all of it back.
    func play(_ client: any MobileAuthenticationClient, _ name: String) async throws {
        let keypad = Keypad { _ in person.pin }
        let menu = Menu { aaids in aaids.first { $0 == AuthenticatorAaid.Pin.rawValue } }
        let (choices, pins) = (ChoiceScreen(menu: menu), PinScreen(keypad: keypad))
        try await client.operations.registration.username(name).deviceInformation(DeviceInformation(name: "phone"))
            .authenticatorSelector(choices).pinEnroller(pins).perform()
        try await press(client, name, choices, pins)
        try await register(.Password, on: client, name)
        try await register(.Fingerprint, on: client, name)
        try await tellErrors(client, "nobody", choices, pins)
        try await deregister(client, name)
        try require(client.localData.accounts.isEmpty, "nothing is left of the user")
    }

    private func register(
        _ kind: AuthenticatorAaid, on client: any MobileAuthenticationClient, _ name: String
    ) async throws {
        let menu = Menu { aaids in aaids.first { $0 == kind.rawValue } }
        let keypad = Keypad { question in question.hasSuffix("PIN.") ? person.pin : person.password }
        let session = try await client.operations.authentication.username(name).authenticatorSelector(person)
            .pinUserVerifier(person).perform()
        guard let session else { throw ListingFailure(expectation: "the server has issued a session") }
        let passwords = PasswordScreen(keyboard: keypad)
        try await client.operations.registration.username(name).deviceInformation(DeviceInformation(name: "phone"))
            .authorizationProvider(session).authenticatorSelector(ChoiceScreen(menu: menu))
            .passwordEnroller(passwords).biometricUserVerifier(FingerScreen()).perform()
        _ = try await client.operations.authentication.username(name).authenticatorSelector(ChoiceScreen(menu: menu))
            .passwordUserVerifier(passwords).biometricUserVerifier(FingerScreen()).perform()
    }

    /// The callback form, with a button that ends the operation and is not pressed.
    private func press(
        _ client: any MobileAuthenticationClient, _ username: String, _ choices: ChoiceScreen, _ pins: PinScreen
    ) async throws {
        let (stopButton, ends) = (StopButton(), AsyncStream<String>.makeStream())
        let show = { @MainActor (text: String) in _ = ends.continuation.yield(text) }
        // Listing begins
        let operation = client.operations.authentication
            .username(username)
            .authenticatorSelector(choices)
            .pinUserVerifier(pins)
            .onSuccess { _ in show("Signed in") }
            .onError { error in show(error.isUserCancellation ? "Cancelled" : error.localizedDescription) }
        stopButton.action = { operation.cancel() }
        operation.execute()
        // Listing ends
        for await end in ends.stream {
            try require(end == "Signed in", "the user signs in: \(end)")
            break
        }
    }

    private func tellErrors(
        _ client: any MobileAuthenticationClient, _ username: String, _ choices: ChoiceScreen, _ pins: PinScreen
    ) async throws {
        var told = ""
        func show(_ text: String) { told = text }
        // Listing begins
        do {
            _ = try await client.operations.authentication
                .username(username).authenticatorSelector(choices).pinUserVerifier(pins).perform()
        } catch {
            switch error.cause {
            case let status as ServerStatus: show("The server refuses (\(status.code)).")
            case is UnregisteredUserError: show("Register on this device first.")
            default: show(error.localizedDescription)
            }
        }
        // Listing ends
        try require(told == "Register on this device first.", "nobody is registered: \(told)")
    }

    private func deregister(_ client: any MobileAuthenticationClient, _ username: String) async throws {
        // Listing begins
        try await client.operations.deregistration
            .username(username)
            .authorizationProvider(JwsAuthorizationProvider())
            .perform()
        // Listing ends
    }
}

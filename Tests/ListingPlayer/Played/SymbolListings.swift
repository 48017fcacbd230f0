import MobileAuthentication

/// Listings of the documentation comments of the SDK.
@MainActor
struct SymbolListings {
    let person: Person

    /// Configuration for a server whose certificate a private authority has issued.
    static func configuration(_ host: String, _ authority: URL) throws -> Configuration {
        // Listing: Configuration.swift
        return configuration
    }

    /// Client whose keys lie where the machine has hardware, and in software elsewhere.
    func preferHardware(_ configuration: Configuration) async throws -> any MobileAuthenticationClient {
        let show = person.show(_:)
        // Listing: KeyVaultChoice.swift
        return client
    }

    /// Client whose keys lie in a chip that is reached in a way of its own.
    func chip(_ configuration: Configuration) async throws -> any MobileAuthenticationClient {
        // Listing: TrustedPlatformModule.swift
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
        try await tellErrors(client, "absent", choices, pins)
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
        // Listing: Operations/Operation.swift
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
        // Listing: ServerStatus.swift
        try require(told == "Register on this device first.", "no user is registered: \(told)")
    }

    private func askForVersions(_ configuration: Configuration) async throws {
        func show(_ text: String) {}
        // Listing: ApplicationVersionCheck.swift
    }

    private func deregister(_ client: any MobileAuthenticationClient, _ username: String) async throws {
        // Listing: Deregistration.swift
    }
}

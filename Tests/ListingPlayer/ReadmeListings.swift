import MobileAuthentication

/// Examples of the page about applications; an architecture test compares them with the page.
@MainActor
struct ReadmeListings {
    func register(
        with configuration: Configuration, username: String, cookies: [HTTPCookie], ui: Person
    ) async throws -> any MobileAuthenticationClient {
        // Listing begins
        let client = try await MobileAuthenticationClientInitializer()
            .configuration(configuration)
            .keyVault(.preferHardware)
            .perform()

        try await client.operations.registration
            .username(username)
            .deviceInformation(DeviceInformation(name: "Anna's phone"))
            .authorizationProvider(CookieAuthorizationProvider(cookies))
            .authenticatorSelector(ui)
            .pinEnroller(ui)
            .perform()

        let session = try await client.operations.authentication
            .username(username).authenticatorSelector(ui).pinUserVerifier(ui).perform()
        // Listing ends
        try require(session != nil, "the server has issued a session")
        let keys = client.deviceCapabilities
        let isSafe = keys.isProtectedBySecureHardware
        try require((keys.keyVaultWarning == nil) == isSafe, "software keys are warned of, and no others")
        return client
    }

    func confirm(
        _ scannedText: String, on client: any MobileAuthenticationClient, ui: Person
    ) async throws {
        // Listing begins
        let payload = try client.operations.outOfBandPayloadDecode.base64UrlEncoded(scannedText).perform()
        let step = try await client.operations.outOfBandOperation.payload(payload).perform()
        if case .authentication(let confirmation) = step {
            _ = try await confirmation.accountSelector(ui).authenticatorSelector(ui).pinUserVerifier(ui)
                .channelLinker(ui).perform()
        }
        // Listing ends
    }
}

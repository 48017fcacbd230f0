import MobileAuthentication

/// The example of the README; the compiler reads it here, and an architecture test compares the two.
@MainActor
func readmeExample(
    serverURL: URL, username: String, cookies: [HTTPCookie],
    ui: some AuthenticatorSelector & PinEnroller & PinUserVerifier
) async throws -> (any AuthorizationProvider)? {
    // README begins
    let client = try await MobileAuthenticationClientInitializer()
        .configuration(Configuration(baseUrl: serverURL))
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
    // README ends
    return session
}

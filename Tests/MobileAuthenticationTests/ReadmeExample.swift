import MobileAuthentication

/// The first example of the README; the compiler reads it here, and an architecture test compares the two.
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

/// The second one.
@MainActor
func readmeOutOfBandExample(
    client: any MobileAuthenticationClient, scannedText: String,
    ui: some AuthenticatorSelector & AccountSelector & PinUserVerifier & ChannelLinker
) async throws {
    // README begins
    let payload = try client.operations.outOfBandPayloadDecode.base64UrlEncoded(scannedText).perform()
    let step = try await client.operations.outOfBandOperation.payload(payload).perform()
    if case .authentication(let confirmation) = step {
        _ = try await confirmation.accountSelector(ui).authenticatorSelector(ui).pinUserVerifier(ui).channelLinker(ui)
            .perform()
    }
    // README ends
}

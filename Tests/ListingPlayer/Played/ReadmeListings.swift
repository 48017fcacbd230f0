import MobileAuthentication

/// Examples of the page about applications.
@MainActor
struct ReadmeListings {
    func register(
        with configuration: Configuration, username: String, cookies: [HTTPCookie], ui: Person
    ) async throws -> any MobileAuthenticationClient {
        // Listing: applications.md 1
        try require(session != nil, "the server has issued a session")
        let keys = client.deviceCapabilities
        let isSafe = keys.isProtectedBySecureHardware
        try require((keys.keyVaultWarning == nil) == isSafe, "software keys are warned of, and no others")
        return client
    }

    func confirm(
        _ scannedText: String, on client: any MobileAuthenticationClient, ui: Person
    ) async throws {
        // Listing: applications.md 2
    }
}

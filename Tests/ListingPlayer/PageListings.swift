import MobileAuthentication

/// The listings of the pages under `docs`; an architecture test compares them with the pages.
@MainActor
struct PageListings {
    let person: Person

    /// Those of `docs/operate/recovery.md`: a key that the device has ended goes from the server, by the word of the phone alone.
    func recover(_ client: any MobileAuthenticationClient) async throws {
        let screen = person
        // Listing begins
        let operations = client.operations
        do {
            _ = try await operations.authentication.username("anna")
                .authenticatorSelector(screen).pinUserVerifier(screen).perform()
        } catch {
            guard [.userLockout, .keyDisappearedPermanently].contains(error.fidoErrorCode) else { throw error }
            // After the user has agreed to it:
            try await operations.deregistration.username("anna")
                .authorizationProvider(JwsAuthorizationProvider()).perform()
            // Then show how to be verified anew: a password login, a code from the portal, the help desk.
        }
        // Listing ends
    }

    /// Those of `docs/app/authenticators.md`.
    func makeLinuxClient(_ configuration: Configuration) async throws -> any MobileAuthenticationClient {
        // Listing begins
        let client = try await MobileAuthenticationClientInitializer()
            .configuration(configuration)
            .profile(.linux(applicationID: "org.example.bank"))
            .userPresence(LinuxUserPresence(passcodeEntry: PasscodeWindow()))
            .perform()
        // Listing ends
        try require(client.applicationFacetId == "linux:app-id:org.example.bank", "the facet is that of the profile")
        return client
    }

    /// Takes the lock of the device off and puts it back, which ends the keys of an iOS profile.
    func loseKeys(of client: any MobileAuthenticationClient, on kiosk: Kiosk, _ name: String) async throws {
        kiosk.setLock(.absent)
        do {
            _ = try await client.operations.authentication.username(name)
                .authenticatorSelector(person).pinUserVerifier(person).perform()
            throw ListingFailure(expectation: "without a lock nobody signs in")
        } catch AuthenticationError.NoDeviceLockError {
            kiosk.setLock(.present)
        }
    }
}

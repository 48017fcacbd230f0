import MobileAuthentication

/// The listings of the pages under `docs`.
@MainActor
struct PageListings {
    let person: Person

    /// Listings of `docs/operate/recovery.md`: a key that the device has ended goes from the server, by the word of the phone alone.
    func recover(_ client: any MobileAuthenticationClient) async throws {
        let screen = person
        // Listing: recovery.md
    }

    /// Listings of `docs/app/authenticators.md`.
    func makeLinuxClient(_ configuration: Configuration) async throws -> any MobileAuthenticationClient {
        // Listing: authenticators.md
        try require(client.applicationFacetId == "linux:app-id:org.example.bank", "the facet is the profile's")
        return client
    }

    /// Takes the lock of the device off and puts it back, which ends the keys of an iOS profile.
    func loseKeys(of client: any MobileAuthenticationClient, on kiosk: Kiosk, _ name: String) async throws {
        kiosk.setLock(.absent)
        do {
            _ = try await client.operations.authentication.username(name)
                .authenticatorSelector(person).pinUserVerifier(person).perform()
            throw ListingFailure(expectation: "without a lock no sign-in succeeds")
        } catch AuthenticationError.NoDeviceLockError {
            kiosk.setLock(.present)
        }
    }
}

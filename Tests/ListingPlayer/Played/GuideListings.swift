import MobileAuthentication

/// Listings of the SDK's guides.
@MainActor
struct GuideListings {
    let person: Person

    // MARK: - GettingStarted

    func makeClient() async throws {
        // Listing: MobileAuthentication.docc/GettingStarted.md 1
        try require(client.deviceCapabilities.keyProtection == .tpm, "the keys lie in the chip of the machine")
    }

    func register(_ client: any MobileAuthenticationClient, _ account: KnownUser, _ cookies: [HTTPCookie]) async throws
    {
        let (chooser, keypad) = (person, person)
        // Listing: MobileAuthentication.docc/GettingStarted.md 2
    }

    func signIn(_ client: any MobileAuthenticationClient, _ account: KnownUser) async throws {
        let (selector, verifier, session) = (person, person, WebSession())
        // Listing: MobileAuthentication.docc/GettingStarted.md 3
        try require(authorization != nil, "the server has issued a session")
    }

    func changePin(_ client: any MobileAuthenticationClient, _ account: KnownUser) async throws {
        let (changer, ends) = (person, AsyncStream<String>.makeStream())
        let show = { @MainActor (text: String) in _ = ends.continuation.yield(text) }
        // Listing: MobileAuthentication.docc/GettingStarted.md 4
        for await end in ends.stream {
            try require(end == "Changed", "the PIN is changed: \(end)")
            break
        }
        person.change(to: Person.nextPin)
    }

    // MARK: - KeysAndProfiles

    func profile(_ configuration: Configuration) async throws -> any MobileAuthenticationClient {
        // Listing: KeysAndProfiles.md
        try require(client.applicationFacetId == "linux:app-id:org.example.bank", "the facet is the profile's")
        return client
    }

    // MARK: - VersionsOfTheApplication

    func askForVersions(_ configuration: Configuration) {
        let show = person.show(_:)
        // Listing: VersionsOfTheApplication.md
    }

    // MARK: - OutOfBand

    func redeem(
        _ scannedText: String, on client: any MobileAuthenticationClient, _ information: DeviceInformation
    ) async throws {
        let (confirmer, selector, enroller, verifier, linker) = (person, person, person, person, person)
        let show = person.show(_:)
        // Listing: OutOfBand.md
    }

    // MARK: - PlatformSetup

    func decode(
        _ message: [AnyHashable: Any], on client: any MobileAuthenticationClient
    ) throws -> OutOfBandPayload {
        // Listing: PlatformSetup.md 1
        return try payload(of: message)
    }

    func refresh(_ token: String, on client: any MobileAuthenticationClient) async throws {
        // Listing: PlatformSetup.md 2
        try require(client.localData.deviceInformation?.fcmRegistrationToken == token, "the server knows the token")
    }

    // MARK: - AskingTheUser

    func closure(_ operation: any Authentication) -> any Authentication {
        let keypad = person
        // Listing: AskingTheUser.md 1
        return operation
    }

    func stream(_ client: any MobileAuthenticationClient, _ name: String) async throws {
        let (chooser, keypad) = (person, person)
        // Listing: AskingTheUser.md 2
        try require(authorization != nil, "the server has issued a session")
    }
}

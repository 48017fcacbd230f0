import MobileAuthentication

/// What can be played of the README, the guides of the SDK and the pages under `docs`.
enum DocumentPlay: String {
    case readmeRegister = "readme-register"
    case readmeConfirm = "readme-confirm"
    case guide
    case guideRedeem = "guide-redeem"
    case profile
    case recovery
    case linuxPresence = "linux-presence"
    case symbols
    case symbolsChip = "symbols-chip"

    /// Plays it for a user, with a text that was scanned.
    @MainActor
    func run(
        _ name: String, _ text: String, with configuration: Configuration, by person: Person, on kiosk: Kiosk,
        _ openClient: @MainActor () async throws -> any MobileAuthenticationClient
    ) async throws {
        let (guide, pages) = (GuideListings(person: person), PageListings(person: person))
        let reference = ReferenceListings(person: person)
        switch self {
        case .readmeRegister:
            _ = try await ReadmeListings().register(with: configuration, username: name, cookies: [], ui: person)
        case .readmeConfirm: try await ReadmeListings().confirm(text, on: try await openClient(), ui: person)
        case .guide:
            try await guide.makeClient()
            try await Self.tour(guide, try await openClient(), name)
        case .guideRedeem:
            let client = try await openClient()
            let payload = try client.operations.outOfBandPayloadDecode.base64UrlEncoded(text).perform()
            let message = try JSONDecoder().decode([String: String].self, from: try JSONEncoder().encode(payload))
            try require(try guide.decode(message, on: client) == payload, "a push message brings what a code does")
            try await guide.redeem(text, on: client, DeviceInformation(name: "phone"))
        case .profile: try await reference.asyncForm(try await guide.profile(configuration), name)
        case .recovery:
            let client = try await openClient()
            try await reference.asyncForm(client, name)
            try await pages.loseKeys(of: client, on: kiosk, name)
            try await pages.recover(client)
        case .linuxPresence: try await reference.asyncForm(try await pages.makeLinuxClient(configuration), name)
        case .symbols: try await SymbolListings(person: person).play(try await openClient(), name)
        case .symbolsChip:
            _ = try await SymbolListings(person: person).preferHardware(configuration)
            try await reference.asyncForm(try await SymbolListings(person: person).chip(configuration), name)
        }
    }

    /// The guides in the order of a new application.
    @MainActor
    private static func tour(
        _ guide: GuideListings, _ client: any MobileAuthenticationClient, _ name: String
    ) async throws {
        let user = KnownUser(id: name)
        try await guide.register(client, user, [])
        try await guide.signIn(client, user)
        try await guide.refresh("token", on: client)
        let operation = client.operations.authentication.username(name).authenticatorSelector(guide.person)
        _ = try await guide.closure(operation).perform()
        try await guide.stream(client, name)
        try await guide.changePin(client, user)
        try await guide.signIn(client, user)
    }
}

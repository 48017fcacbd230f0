import MobileAuthentication

/// Listings of the SDK's documentation; an architecture test compares them with the pages.
@MainActor
struct GuideListings {
    let person: Person

    // MARK: - GettingStarted

    func makeClient() async throws {
        // Listing begins
        let client = try await MobileAuthenticationClientInitializer()
            .configuration(Configuration(authCloudHostname: "instance.mauth.example"))
            .perform()
        // Listing ends
        try require(client.deviceCapabilities.keyProtection == .tpm, "the keys lie in the chip of the machine")
    }

    func register(_ client: any MobileAuthenticationClient, _ account: KnownUser, _ cookies: [HTTPCookie]) async throws
    {
        let (chooser, keypad) = (person, person)
        // Listing begins
        try await client.operations.registration
            .username(account.id)
            .deviceInformation(DeviceInformation(name: "Anna’s phone"))
            .authorizationProvider(CookieAuthorizationProvider(cookies))
            .authenticatorSelector(
                AuthenticatorSelection.async { context in
                    try await chooser.choose(among: context)
                }
            )
            .pinEnroller(
                PinEnrollment.async { context in
                    SecretBytes(try await keypad.newPin(after: context.lastRecoverableError))
                }
            )
            .perform()
        // Listing ends
    }

    func signIn(_ client: any MobileAuthenticationClient, _ account: KnownUser) async throws {
        let (selector, verifier, session) = (person, person, WebSession())
        // Listing begins
        let authorization = try await client.operations.authentication
            .username(account.id)
            .authenticatorSelector(selector)
            .pinUserVerifier(verifier)
            .perform()
        if let cookies = (authorization as? CookieAuthorizationProvider)?.cookies { session.use(cookies) }
        // Listing ends
        try require(authorization != nil, "the server has issued a session")
    }

    func changePin(_ client: any MobileAuthenticationClient, _ account: KnownUser) async throws {
        let (changer, ends) = (person, AsyncStream<String>.makeStream())
        let show = { @MainActor (text: String) in _ = ends.continuation.yield(text) }
        // Listing begins
        client.operations.pinChange
            .username(account.id)
            .pinChanger(changer)
            .onSuccess { show("Changed") }
            .onError { error in show(error.localizedDescription) }
            .execute()
        // Listing ends
        for await end in ends.stream {
            try require(end == "Changed", "the PIN is changed: \(end)")
            break
        }
        person.change(to: Person.nextPin)
    }

    // MARK: - KeysAndProfiles

    func profile(_ configuration: Configuration) async throws -> any MobileAuthenticationClient {
        // Listing begins
        let client = try await MobileAuthenticationClientInitializer()
            .configuration(configuration)
            .keyVault(.platform)
            .profile(.linux(applicationID: "org.example.bank"))
            .perform()
        // Listing ends
        try require(client.applicationFacetId == "linux:app-id:org.example.bank", "the facet is that of the profile")
        return client
    }

    // MARK: - OutOfBand

    func redeem(
        _ scannedText: String, on client: any MobileAuthenticationClient, _ information: DeviceInformation
    ) async throws {
        let (confirmer, selector, enroller, verifier, linker) = (person, person, person, person, person)
        let show = person.show(_:)
        // Listing begins
        let payload = try client.operations.outOfBandPayloadDecode.base64UrlEncoded(scannedText).perform()
        let operation = client.operations.outOfBandOperation.payload(payload).deregistrationConfirmer(confirmer)
        switch try await operation.perform() {
        case .registration(let registration):
            try await registration.deviceInformation(information).authenticatorSelector(selector).pinEnroller(enroller)
                .perform()
        case .authentication(let authentication):
            _ = try await authentication.accountSelector(selector).authenticatorSelector(selector)
                .pinUserVerifier(verifier).channelLinker(linker).perform()
        case .deregistration:
            show("Registrations of this device were taken back.")
        }
        // Listing ends
    }

    // MARK: - PlatformSetup

    func decode(
        _ message: [AnyHashable: Any], on client: any MobileAuthenticationClient
    ) throws -> OutOfBandPayload {
        // Listing begins
        func payload(of userInfo: [AnyHashable: Any]) throws -> OutOfBandPayload {
            let keys = ["nma_data", "nma_data_content_type", "nma_data_version"]
            let texts = keys.map { key in (key, userInfo[key] as? String) }
            let data = Dictionary(uniqueKeysWithValues: texts).compactMapValues(\.self)
            let json = String(decoding: try JSONEncoder().encode(data), as: UTF8.self)
            return try client.operations.outOfBandPayloadDecode.json(json).perform()
        }
        // Listing ends
        return try payload(of: message)
    }

    func refresh(_ token: String, on client: any MobileAuthenticationClient) async throws {
        // Listing begins
        if let known = client.localData.deviceInformation, known.fcmRegistrationToken != token {
            try await client.operations.deviceInformationChange.fcmRegistrationToken(token).perform()
        }
        // Listing ends
        try require(client.localData.deviceInformation?.fcmRegistrationToken == token, "the server knows the token")
    }

    // MARK: - AskingTheUser

    func closure(_ operation: any Authentication) -> any Authentication {
        let keypad = person
        // Listing begins
        operation.pinUserVerifier(
            PinUserVerification.async { context in
                SecretBytes(try await keypad.pin(context.authenticatorProtectionStatus))
            })
        // Listing ends
        return operation
    }

    func stream(_ client: any MobileAuthenticationClient, _ name: String) async throws {
        let (chooser, keypad) = (person, person)
        // Listing begins
        let questions = InteractionStream()
        let operation = client.operations.authentication.username(name).interactions(questions)
        let end = Task {
            defer { questions.finish() }
            return try await operation.perform()
        }
        for await step in questions {
            switch step {
            case .selectAuthenticator(let context, let handler): chooser.show(context, answering: handler)
            case .verifyPin(let context, let handler): keypad.show(context, answering: handler)
            default: break
            }
        }
        let authorization = try await end.value
        // Listing ends
        try require(authorization != nil, "the server has issued a session")
    }
}

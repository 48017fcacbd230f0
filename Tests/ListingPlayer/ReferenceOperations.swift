import MobileAuthentication

/// Every operation of the public reference in its asynchronous form (11.2); registration, authentication and the change of
/// secrets are in ``ReferenceInteraction``.
@MainActor
struct ReferenceOperations {
    let client: any MobileAuthenticationClient
    let name: String
    let person: Person

    static func client(for configuration: Configuration) async throws -> any MobileAuthenticationClient {
        try await MobileAuthenticationClientInitializer.client(for: configuration)
    }

    func authCloudApiRegistration(_ link: String) async throws {
        try await client.operations.authCloudApiRegistration
            .appLinkUri(link)
            .deviceInformation(DeviceInformation(name: "phone"))
            .authenticatorSelector(person)
            .pinEnroller(person)
            .perform()
    }

    /// Decoding waits for nothing, so it is not asynchronous; what was begun comes as a step.
    func outOfBand(_ scannedText: String) async throws {
        let payload = try client.operations.outOfBandPayloadDecode.base64UrlEncoded(scannedText).perform()
        let step = try await client.operations.outOfBandOperation.payload(payload).perform()
        switch step {
        case .registration(let registration):
            try await registration.deviceInformation(DeviceInformation(name: "phone"))
                .authenticatorSelector(person).pinEnroller(person).perform()
            person.show("registered")
        case .authentication(let authentication):
            _ = try await authentication.accountSelector(person).authenticatorSelector(person)
                .pinUserVerifier(person).perform()
            person.show("authenticated")
        case .deregistration: throw ListingFailure(expectation: "a deregistration was not begun")
        }
    }

    /// What waits at the server comes without a scan, and can be answered.
    func pendingOutOfBandOperations() async throws {
        let result = await client.operations.pendingOutOfBandOperations.perform()
        try require(result.errors.isEmpty && result.operations.count == 1, "one operation waits: \(result)")
        for operation in result.operations {
            let step = try await client.operations.outOfBandOperation.payload(operation.payload).perform()
            guard case .authentication(let authentication) = step else { continue }
            _ = try await authentication.accountSelector(person).authenticatorSelector(person)
                .pinUserVerifier(person).perform()
            person.show("authenticated")
        }
    }

    func deviceInformation() async throws {
        try await client.operations.deviceInformationChange.name("renamed").perform()
        try require(client.localData.deviceInformation?.name == "renamed", "the phone has its new name")
        let check = await client.operations.deviceInformationCheck.perform()
        let sync = await client.operations.deviceInformationSync.mismatches(check.mismatches).perform()
        try require(check.errors.isEmpty && check.mismatches.isEmpty && sync.errors.isEmpty, "the server agrees")
    }

    /// A user is deleted here only; who watches the accounts sees them go.
    func localData() async throws {
        var accounts = client.localData.accountsStream.makeAsyncIterator()
        try require(await accounts.next()?.map(\.username).contains(name) == true, "the account is there")
        try await client.localData.removeAuthenticator(username: name, aaid: nil)
        try require(await accounts.next()?.map(\.username).contains(name) == false, "the account is gone")
    }

    func deregistration() async throws {
        let session = try await client.operations.authentication
            .username(name).authenticatorSelector(person).pinUserVerifier(person).perform()
        guard let session else { throw ListingFailure(expectation: "the server has issued a session") }
        try await client.operations.deregistration.username(name).authorizationProvider(session).perform()
    }
}

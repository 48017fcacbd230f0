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
        let screen = person
        // Listing: AuthCloudApiRegistration.swift
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
        let screen = person
        // Listing: PendingOutOfBandOperation.swift
        try require(pending.errors.isEmpty && pending.operations.count == 1, "one operation waited: \(pending)")
        person.show("authenticated")
    }

    func deviceInformation() async throws {
        let ask = person.approve(_:)
        try await client.operations.deviceInformationChange.name("renamed").perform()
        try require(client.localData.deviceInformation?.name == "renamed", "the phone has its new name")
        // Listing: DeviceInformationCheck.swift
        try require(check.errors.isEmpty && check.mismatches.isEmpty && sync.errors.isEmpty, "the server agrees")
    }

    /// A user is deleted here only; who watches the accounts sees them go.
    func localData() async throws {
        var accounts = client.localData.accountsStream.makeAsyncIterator()
        try require(await accounts.next()?.map(\.username).contains(name) == true, "the account is there")
        // Listing: LocalData.swift
        try require(registered.map(\.aaid) == [AuthenticatorAaid.Pin.rawValue], "the PIN is registered, and usable")
        try await client.localData.removeAuthenticator(username: name, aaid: nil)
        try require(await accounts.next()?.map(\.username).contains(name) == false, "the account is gone")
    }

    func deregistration() async throws {
        let screen = person
        // Listing: AuthorizationProvider.swift
        try require(session != nil, "the server has issued a session")
    }
}

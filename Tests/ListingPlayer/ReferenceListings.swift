import MobileAuthentication

/// The two forms of the SDK's public reference in which applications of the closed SDK are written: they begin with
/// nothing but a configuration.
@MainActor
struct ReferenceListings {
    let person: Person

    func makeClient(with configuration: Configuration) async throws -> any MobileAuthenticationClient {
        let (ends, teller) = AsyncThrowingStream<any MobileAuthenticationClient, any Error>.makeStream()
        MobileAuthenticationClientInitializer()
            .configuration(configuration)
            .onSuccess { client in teller.yield(client) }
            .onError { error in teller.finish(throwing: error) }
            .execute()
        for try await client in ends { return client }
        throw ListingFailure(expectation: "the initializer ends")
    }

    func callbackForm(_ client: any MobileAuthenticationClient, _ name: String) async throws {
        let (info, selector, enroller) = (DeviceInformation(name: "phone"), person, person)
        let (ends, teller) = AsyncThrowingStream<Void, any Error>.makeStream()
        client.operations.registration
            .username(name)
            .deviceInformation(info)
            .authenticatorSelector(selector)
            .pinEnroller(enroller)
            .onSuccess { teller.finish() }
            .onError { teller.finish(throwing: $0) }
            .execute()
        for try await _ in ends {}
    }

    func asyncForm(_ client: any MobileAuthenticationClient, _ name: String) async throws {
        let (info, selector, enroller) = (DeviceInformation(name: "phone"), person, person)
        try await client.operations.registration
            .username(name)
            .deviceInformation(info)
            .authenticatorSelector(selector)
            .pinEnroller(enroller)
            .perform()
    }
}

import MobileAuthentication

/// What the public reference says of the two forms (11.1), rule by rule, as an application meets it.
@MainActor
struct ReferenceRules {
    let client: any MobileAuthenticationClient
    let name: String
    let person: Person

    /// Inside of a task `execute()` is still the callback form, and its closures run on the main actor.
    func callbacksInTask() async throws {
        let (client, name, selector, verifier) = (client, name, person, person)
        let (ends, teller) = AsyncThrowingStream<Void, any Error>.makeStream()
        Task.detached {
            client.operations.authentication
                .username(name)
                .authenticatorSelector(selector)
                .pinUserVerifier(verifier)
                .onSuccess { _ in
                    MainActor.preconditionIsolated()
                    teller.finish()
                }
                .onError { teller.finish(throwing: $0) }
                .execute()
        }
        for try await _ in ends {}
    }

    /// `catch` has the type of the error: every case, no cast.
    func typedThrows() async throws {
        var code: FidoErrorCode?
        do {
            _ = try await client.operations.authentication.username("absent")
                .authenticatorSelector(person).pinUserVerifier(person).perform()
        } catch {
            switch error {
            case .FidoError(let errorCode, _, _): code = errorCode
            case .NetworkError, .AppAttestationError, .NoDeviceLockError, .Unknown: break
            @unknown default: break
            }
        }
        try require(code == .noSuitableAuthenticator, "the user is not registered: \(String(describing: code))")
    }

    /// Operations with a result do not throw: their errors are in it.
    func results() async throws {
        let result = await client.operations.deviceInformationCheck.perform()
        try require(result.errors.isEmpty && result.mismatches.isEmpty, "server and phone agree")
    }

    /// The cancellation of the task is the `cancel()` of a handler: no third kind of ending.
    func cancellation() async throws {
        let (client, name, questions) = (client, name, InteractionStream())
        let end = Task {
            try await client.operations.authentication.username(name).interactions(questions).perform()
        }
        // The question is kept: one that is dropped would cancel by itself.
        var unanswered: InteractionStep?
        for await step in questions {
            if case .selectAuthenticator(_, let handler) = step { handler.aaid(AuthenticatorAaid.Pin.rawValue) }
            if case .verifyPin = step {
                unanswered = step
                break
            }
        }
        end.cancel()
        let result = await end.result
        withExtendedLifetime(unanswered) {}
        guard case .failure(let error as AuthenticationError) = result else {
            throw ListingFailure(expectation: "a canceled task ends with an error")
        }
        try require(
            error.isUserCancellation && error.fidoErrorCode == .userCanceled, "it counts as the user's: \(error)")
    }
}

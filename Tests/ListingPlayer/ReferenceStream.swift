import MobileAuthentication

extension ReferenceInteraction {
    /// Runs an operation whose questions come as a stream, and answers them in one loop.
    func answering<Value: Sendable>(
        _ run: @escaping @Sendable (InteractionStream) async throws -> Value
    ) async throws -> Value {
        let ui = InteractionStream()
        let end = Task {
            defer { ui.finish() }
            return try await run(ui)
        }
        for await step in ui { answer(step) }
        return try await end.value
    }

    private func answer(_ step: InteractionStep) {
        switch step {
        case .selectAccount(let context, let handler): person.selectAccount(context: context, handler: handler)
        case .selectAuthenticator(_, let handler): handler.aaid(person.wish.rawValue)
        case .enrollPin(_, let handler): handler.pin(person.pin)
        case .verifyPin(_, let handler): handler.verify(person.pin)
        case .changePin(_, let handler): handler.pins(person.pin, Person.nextPin)
        case .enrollPassword(_, let handler): handler.password(person.password)
        case .verifyPassword(_, let handler): handler.verify(person.password)
        case .changePassword(_, let handler): handler.passwords(person.password, Person.nextPassword)
        case .verifyBiometric(_, let handler): handler.verify()
        case .verifyDevicePasscode(_, let handler): handler.verify()
        default: break
        }
    }

    /// The account of an operation that was begun elsewhere is asked for in the stream too.
    func selectAccount(_ scannedText: String) async throws {
        let payload = try client.operations.outOfBandPayloadDecode.base64UrlEncoded(scannedText).perform()
        let step = try await client.operations.outOfBandOperation.payload(payload).perform()
        guard case .authentication(let authentication) = step else {
            throw ListingFailure(expectation: "an authentication was begun")
        }
        _ = try await answering { ui in try await authentication.interactions(ui).perform() }
        person.show("authenticated")
    }

    /// After the third wrong PIN the seconds until the next try are counted; nothing waits for them here.
    func coolDown() async throws {
        let (operation, ui) = (client.operations.authentication.username(name), InteractionStream())
        let end = Task {
            defer { ui.finish() }
            return try await operation.interactions(ui).perform()
        }
        var seconds: Int?
        for await step in ui {
            switch step {
            case .selectAuthenticator(_, let handler): handler.aaid(AuthenticatorAaid.Pin.rawValue)
            case .verifyPin(let context, let handler):
                guard let ticks = context.authenticatorProtectionStatus.coolDown else {
                    handler.verify("000000")
                    continue
                }
                for await left in ticks {
                    seconds = left
                    break
                }
                handler.cancel()
            default: break
            }
        }
        let result = await end.result
        try require(
            seconds.map { (1...60).contains($0) } == true, "a minute is counted: \(String(describing: seconds))")
        guard case .failure(let error as AuthenticationError) = result, error.isUserCancellation else {
            throw ListingFailure(expectation: "the user has given up")
        }
    }
}

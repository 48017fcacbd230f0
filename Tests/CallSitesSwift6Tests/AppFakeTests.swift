import MobileAuthentication
import Testing

@Suite("Fakes that applications wrote for the closed SDK (O-A1)")
@MainActor
struct AppFakeTests {
    @Test("O-A1: perform() of a fake waits for the first of its closures, and for that one only")
    func perform() async throws {
        let change = FakePinChange()
        try await change.username("anna").perform()
        change.outcome = .UserCanceled(cause: nil)
        await #expect(throws: PinChangeError.self) { try await change.perform() }
        #expect(change.name == "anna")
        change.cancel()
        let result = await FakeDeviceInformationCheck().perform()
        #expect(result.mismatches.isEmpty)
    }

    @Test("O-A1: local data of a fake deletes with untyped throws, and gives its errors through the asynchronous form")
    func localData() async throws {
        let data = FakeAccountStore()
        data.accounts = [try FakeAccount("anna"), try FakeAccount("ben")]
        let client: MobileAuthenticationClient = FakeClient(operations: NoOperations(), localData: data)
        var seen: [[String]] = []
        for await accounts in client.localData.accountsStream { seen.append(accounts.map(\.username)) }
        #expect(seen == [["anna", "ben"]])
        try client.localData.deleteAuthenticator(username: "anna", aaid: nil)
        try await client.localData.removeAuthenticator(username: "ben", aaid: nil)
        #expect(client.localData.accounts.isEmpty)
        data.refusal = FakeAccountStore.Refusal()
        let error = await #expect(throws: DeleteAuthenticatorError.self) {
            try await client.localData.removeAuthenticator(username: "ben", aaid: nil)
        }
        guard case .Unknown(let cause) = try #require(error) else {
            Issue.record("not Unknown: \(error)")
            return
        }
        #expect(cause is FakeAccountStore.Refusal)
        #expect(!client.deviceCapabilities.isProtectedBySecureHardware)
        #expect(client.applicationFacetId == MetaData.applicationFacetId)
    }

    @Test("O-A1: a fake handler that takes text gets secrets that are given as bytes")
    func secrets() {
        let pins = FakePinHandlers()
        (pins as any PinEnrollmentHandler).pin(SecretBytes("1234"))
        (pins as any PinChangeHandler).pins(SecretBytes("1"), SecretBytes("2"))
        (pins as any PinUserVerificationHandler).verify(SecretBytes("3"))
        #expect(pins.given == ["1234", "1", "2", "3"])
        let passwords = FakePasswordHandlers()
        (passwords as any PasswordEnrollmentHandler).password(SecretBytes("näher"))
        (passwords as any PasswordChangeHandler).passwords(SecretBytes("a"), SecretBytes("b"))
        (passwords as any PasswordUserVerificationHandler).verify(SecretBytes("c"))
        #expect(passwords.given == ["näher", "a", "b", "c"])
    }

    @Test("O-A1: a policy refuses with the message alone, and an enroller without a policy has the default one")
    func policies() {
        #expect(PinEnrollmentValidationError.InvalidPin(message: "no").errorDescription == "no")
        #expect(PinChangeValidationError.InvalidPin(message: "no").errorDescription == "no")
        #expect(PasswordEnrollmentValidationError.InvalidPassword(message: "no").errorDescription == "no")
        #expect(PasswordChangeValidationError.InvalidPassword(message: "no").errorDescription == "no")
        var refusals = 0
        FakePasswordEnroller().passwordPolicy().validatePasswordForEnrollment(
            "password", onSuccess: {}, onError: { _ in refusals += 1 })
        #expect(refusals == 1)
    }

    @Test("O-A1: a switch over the documented cases of AuthenticationError is complete, without a warning")
    func authenticationError() {
        let error = AuthenticationError.FidoError(errorCode: .userCancelled, cause: nil, sessionProvider: nil)
        switch error {
        case .FidoError(let code, _, _): #expect(code == .userCanceled)
        case .NetworkError, .AppAttestationError, .NoDeviceLockError, .Unknown: Issue.record("another case")
        @unknown default: Issue.record("unknown")
        }
        #expect(FidoErrorCode.keyPermanentlyDeleted == .keyDisappearedPermanently)
    }
}

/// The operations of a client that is asked for none.
private struct NoOperations: Operations {
    var registration: any Registration { unasked() }
    var authCloudApiRegistration: any AuthCloudApiRegistration { unasked() }
    var authentication: any Authentication { unasked() }
    var deregistration: any Deregistration { unasked() }
    var pinChange: any PinChange { FakePinChange() }
    var passwordChange: any PasswordChange { unasked() }
    var outOfBandPayloadDecode: any OutOfBandPayloadDecode { unasked() }
    var outOfBandOperation: any OutOfBandOperation { unasked() }
    var pendingOutOfBandOperations: any PendingOutOfBandOperations { unasked() }
    var deviceInformationChange: any DeviceInformationChange { unasked() }
    var deviceInformationCheck: any DeviceInformationCheck { FakeDeviceInformationCheck() }
    var deviceInformationSync: any DeviceInformationSync { unasked() }

    private func unasked() -> Never { fatalError("no test asks for it") }
}

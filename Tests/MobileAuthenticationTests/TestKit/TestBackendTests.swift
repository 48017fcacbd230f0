import Locking
import MobileAuthentication
import MobileAuthenticationTestKit
import Testing

/// A network that changes one octet of each signature while it is told to.
private final class ForgingTransport: TestTransport {
    private let backend: TestBackend
    private let isForging = Lock(false)

    init(over backend: TestBackend) { self.backend = backend }

    func forge(_ isForging: Bool) { self.isForging.withLock { $0 = isForging } }

    func answer(to request: TestRequest) async throws -> TestResponse {
        var request = request
        let text = String(decoding: request.body, as: UTF8.self)
        // The signature ends the assertion, which is base64url in a JSON text in a JSON text.
        if isForging.withLock({ $0 }), let start = text.range(of: #"\"assertion\":\""#),
            let end = text[start.upperBound...].range(of: #"\""#)
        {
            let place = text.index(end.lowerBound, offsetBy: -8)
            let other = text[place] == "A" ? "B" : "A"
            request.body = Array(text.replacingCharacters(in: place...place, with: other).utf8)
        }
        return try await backend.answer(to: request)
    }
}

@Suite("A server for tests of applications refuses what the real one refuses")
struct TestBackendTests {
    private let backend = TestBackend()

    private func phone(over network: (any TestTransport)? = nil) async throws -> (
        MobileAuthenticationTestKit.TestPhone, ScriptedUser
    ) {
        let phone = try await MobileAuthenticationTestKit.TestPhone(backend.configuration, over: network ?? backend)
        return (phone, ScriptedUser(pin: "482915", clock: phone.clock))
    }

    private func register(
        _ phone: MobileAuthenticationTestKit.TestPhone, _ user: ScriptedUser, with login: (any AuthorizationProvider)?
    ) async throws {
        let registration = phone.client.operations.registration.username("anna")
            .deviceInformation(DeviceInformation(name: "phone")).authenticatorSelector(user).pinEnroller(user)
        if let login { registration.authorizationProvider(login) }
        try await registration.perform()
    }

    private func signIn(_ phone: MobileAuthenticationTestKit.TestPhone, _ user: ScriptedUser) async throws {
        _ = try await phone.client.operations.authentication.username("anna").authenticatorSelector(user)
            .pinUserVerifier(user).perform()
    }

    /// Status with which the server has refused, of UAF or HTTP.
    private static func status(_ error: OperationError?) -> Int? {
        switch error {
        case .FidoError(.protocolError, let cause as ServerStatus)?: cause.code
        case .NetworkError(let cause as HTTPStatusError)?: cause.statusCode
        default: nil
        }
    }

    private static func status(_ error: AuthenticationError?) -> Int? {
        if case .FidoError(.protocolError, let cause as ServerStatus, _)? = error { cause.code } else { nil }
    }

    @Test("A login registers its user; without one, or with the login of another user, nothing is registered")
    func logins() async throws {
        let (phone, user) = try await phone()
        let unproved = await #expect(throws: OperationError.self) { try await register(phone, user, with: nil) }
        #expect(Self.status(unproved) == 401)
        #expect(backend.registrations(of: "anna").isEmpty)
        let foreign = backend.login(as: "ben")
        let refused = await #expect(throws: OperationError.self) { try await register(phone, user, with: foreign) }
        #expect(Self.status(refused) == 1401)
        #expect(backend.registrations(of: "anna").isEmpty)
        try await register(phone, user, with: backend.login(as: "anna"))
        #expect(backend.registrations(of: "anna") == ["F1D0#1001"])
    }

    @Test("One changed octet of a signature is refused, at the registration and at the sign-in")
    func signatures() async throws {
        let network = ForgingTransport(over: backend)
        let (phone, user) = try await phone(over: network)
        network.forge(true)
        await #expect(throws: OperationError.self) { try await register(phone, user, with: backend.login(as: "anna")) }
        #expect(backend.registrations(of: "anna").isEmpty)
        network.forge(false)
        try await register(phone, user, with: backend.login(as: "anna"))
        try await signIn(phone, user)
        network.forge(true)
        let refused = await #expect(throws: AuthenticationError.self) { try await signIn(phone, user) }
        #expect(Self.status(refused) == 1498)
    }

    @Test("The outcome of an operation is waiting, redeemed, then its result; a token is redeemed once")
    func outcomes() async throws {
        let (phone, user) = try await phone()
        let invitation = backend.invite("anna")
        #expect(backend.outcome(of: invitation) == .waiting)
        let payload = try phone.client.operations.outOfBandPayloadDecode.base64UrlEncoded(invitation.scannedText)
            .perform()
        guard
            case .registration(let registration) = try await phone.client.operations.outOfBandOperation.payload(payload)
                .perform()
        else {
            Issue.record("An invitation leads to a registration.")
            return
        }
        #expect(backend.outcome(of: invitation) == .redeemed)
        try await registration.deviceInformation(DeviceInformation(name: "phone")).authenticatorSelector(user)
            .pinEnroller(user).perform()
        #expect(backend.outcome(of: invitation) == .succeeded(username: "anna"))
        await #expect {
            _ = try await phone.client.operations.outOfBandOperation.payload(payload).perform()
        } throws: { error in
            if case OutOfBandOperationError.TokenAlreadyRedeemed = error { true } else { false }
        }
    }

    @Test("A forged confirmation is refused with 1498, and the server knows it")
    func forgedConfirmation() async throws {
        let network = ForgingTransport(over: backend)
        let (phone, user) = try await phone(over: network)
        try await register(phone, user, with: backend.login(as: "anna"))
        network.forge(true)
        let payment = backend.ask("anna", toConfirm: "Pay 20 CHF to Ben")
        let payload = try phone.client.operations.outOfBandPayloadDecode.base64UrlEncoded(payment.scannedText).perform()
        guard
            case .authentication(let confirmation) = try await phone.client.operations.outOfBandOperation.payload(
                payload
            )
            .perform()
        else {
            Issue.record("A request leads to an authentication.")
            return
        }
        await #expect(throws: AuthenticationError.self) {
            _ = try await confirmation.accountSelector(user).authenticatorSelector(user).pinUserVerifier(user).perform()
        }
        #expect(backend.outcome(of: payment) == .refused(status: 1498))
    }

    @Test("Removed registrations no longer sign in")
    func removal() async throws {
        let (phone, user) = try await phone()
        try await register(phone, user, with: backend.login(as: "anna"))
        try await signIn(phone, user)
        backend.removeRegistrations(of: "anna")
        let refused = await #expect(throws: AuthenticationError.self) { try await signIn(phone, user) }
        #expect(refused?.fidoErrorCode == .protocolError)
    }
}

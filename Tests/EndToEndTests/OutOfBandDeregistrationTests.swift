import BackendAPI
import CommandSupport
import DemoCommands
import Foundation
import HardwareKeysTPM
import MobileAuthentication
import MobileAuthenticationTestKit
import Testing
import UAF

@Suite("A deregistration out of band, from the session of its user to the phone", .serialized)
struct OutOfBandDeregistrationTests {
    /// The server did not make a token.
    private struct NoToken: Error {
        let status: Int
    }

    @Test("Redeeming it takes the registration off server and phone; a second time it is used up, and all begins anew")
    func wholeWay() async throws {
        let installation = try Installation(settings: "authorization: {registration: none}\n")
        let server = try await installation.server.start()
        defer { server.kill() }
        try await installation.server.addUser("anna", password: Installation.password)
        try await installation.server.addUser("ben", password: Installation.password)
        let application = try await LinuxApplication(
            in: installation.scratch.url.appending(path: "application"), keysFrom: TrustedPlatformModule?.none,
            for: [installation])
        try await application.register("anna")
        try await application.register("ben")
        let session = try #require(try await application.authenticate("anna"))
        let operations = application.client.operations
        let payload = try operations.outOfBandPayloadDecode.json(
            try await payload(of: installation, for: "anna", session)
        ).perform()
        // Who says no keeps everything, on both sides, and can say yes later.
        await #expect(throws: OutOfBandOperationError.self) {
            try await operations.outOfBandOperation.payload(payload)
                .deregistrationConfirmer(DeregistrationConfirmation.async { _ in false }).perform()
        }
        try await application.authenticate("anna")
        let consent = DeregistrationConfirmation.async { $0.accounts.map(\.username) == ["anna", "ben"] }
        guard
            case .deregistration = try await operations.outOfBandOperation.payload(payload)
                .deregistrationConfirmer(consent).perform()
        else {
            Issue.record("another operation")
            return
        }
        #expect(application.client.localData.accounts.map(\.username) == ["ben"])
        let error = await #expect(throws: OutOfBandOperationError.self) {
            try await operations.outOfBandOperation.payload(payload)
                .deregistrationConfirmer(DeregistrationConfirmation.async { _ in true }).perform()
        }
        let isUsedUp = if case .TokenAlreadyRedeemed? = error { true } else { false }
        #expect(isUsedUp, "another error: \(String(describing: error))")
        await #expect(throws: AuthenticationError.self) { try await application.authenticate("anna") }
        try await application.authenticate("ben")
        try await application.register("anna")
        try await application.authenticate("anna")
    }

    /// What a portal shows its user as a QR code: a token that the server makes for his session.
    private func payload(
        of installation: Installation, for name: String, _ session: any AuthorizationProvider
    ) async throws -> String {
        let base = installation.server.address + "/nevisfido/token/"
        var request = TestRequest(
            method: "POST", url: base + "create/deregistration",
            headers: [
                TestRequest.Header("Content-Type", "application/fido+uaf;charset=UTF-8"),
                TestRequest.Header("Accept", "application/json"),
            ],
            body: GetUAFRequest(DeregistrationContext(username: UserName(name), scope: .everything)).body)
        if let token = (session as? JwtAuthorizationProvider)?.jwt {
            request.headers.append(TestRequest.Header("Authorization", "Bearer \(token)"))
        }
        if let cookies = (session as? CookieAuthorizationProvider)?.cookies {
            let text = cookies.map { "\($0.name)=\($0.value)" }.joined(separator: "; ")
            request.headers.append(TestRequest.Header("Cookie", text))
        }
        let network = try NetworkTransport(for: try LinuxApplication.configuration(for: [installation]))
        let response = try await network.answer(to: request)
        guard (200...201).contains(response.status) else { throw NoToken(status: response.status) }
        let content = OutOfBandContent(
            token: try CreatedToken(body: response.body).token, redeemURL: base + "redeem/deregistration")
        return String(decoding: OutOfBandEnvelope(.plain(content)).body, as: UTF8.self)
    }
}

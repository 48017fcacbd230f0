import MobileAuthentication
import Testing

/// The example of the README; it is here so that the compiler reads it.
@MainActor
private func signIn(_ server: URL, _ login: CookieAuthorizationProvider, _ dialog: PinDialog) async throws {
    let client = try await MobileAuthenticationClientInitializer()
        .configuration(Configuration(baseUrl: server))
        .keyVault(.software)
        .perform()
    try await client.operations.registration
        .username("jeff")
        .deviceInformation(DeviceInformation(name: "Jeff's phone"))
        .authorizationProvider(login)
        .authenticatorSelector(dialog).pinEnroller(dialog)
        .perform()
    let session = try await client.operations.authentication
        .username("jeff")
        .authenticatorSelector(dialog).pinUserVerifier(dialog)
        .perform()
    print(session as? JwtAuthorizationProvider as Any)
}

/// A dialog as an application writes it.
private final class PinDialog: AuthenticatorSelector, PinEnroller, PinUserVerifier {
    func selectAuthenticator(
        context: any AuthenticatorSelectionContext, handler: any AuthenticatorSelectionHandler
    ) {
        handler.aaid(AuthenticatorAaid.Pin.rawValue)
    }

    func enrollPin(context: any PinEnrollmentContext, handler: any PinEnrollmentHandler) { handler.pin("482915") }

    func verifyPin(context: any PinUserVerificationContext, handler: any PinUserVerificationHandler) {
        handler.verify("482915")
    }
}

@Suite("The example of the README")
struct ReadmeExampleTests {
    @Test("Without secure hardware and without choosing software no client is made")
    func hardware() async throws {
        let configuration = Configuration(authCloudHostname: "server.example")
        let error = await #expect(throws: InitializationError.self) {
            try await MobileAuthenticationClientInitializer.client(for: configuration)
        }
        guard case .HardwareError = error else {
            Issue.record("another error: \(String(describing: error))")
            return
        }
    }

    @Test("With software keys in a folder a client is made, and a second one finds the same data")
    func software() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "app-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        for _ in 1...2 {
            let client = try await MobileAuthenticationClientInitializer()
                .configuration(Configuration(authCloudHostname: "server.example"))
                .keyVault(.software).storeDirectory(folder).perform()
            #expect(client.localData.accounts.isEmpty)
            #expect(client.deviceCapabilities.keyProtection == .software)
        }
    }

    @Test("A missing configuration is a mistake that is named")
    func missingConfiguration() async throws {
        let error = await #expect(throws: InitializationError.self) {
            try await MobileAuthenticationClientInitializer().perform()
        }
        #expect((error?.cause as? MissingParameterError)?.name == "configuration")
    }

    @Test("A pin of another size than a digest is refused, not ignored")
    func unusablePin() async throws {
        var configuration = Configuration(authCloudHostname: "server.example")
        configuration.pinnedCertificates = [Data([1, 2, 3])]
        let folder = FileManager.default.temporaryDirectory.appending(path: "app-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let initializer = MobileAuthenticationClientInitializer().configuration(configuration)
            .keyVault(.software).storeDirectory(folder)
        await #expect(throws: InitializationError.self) { try await initializer.perform() }
    }
}

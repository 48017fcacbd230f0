import MobileAuthentication
import Testing

@Suite("Making a client")
struct InitializationTests {
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

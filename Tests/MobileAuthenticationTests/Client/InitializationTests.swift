import Foundation
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

    /// Makes a client, and gives the error and whether there is a folder for keys.
    private func error(
        with configuration: Configuration
    ) async -> (error: InitializationError?, hasFolder: Bool) {
        let folder = FileManager.default.temporaryDirectory.appending(path: "app-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        var found: InitializationError?
        do throws(InitializationError) {
            _ = try await MobileAuthenticationClientInitializer().configuration(configuration)
                .keyVault(.software).storeDirectory(folder).perform()
        } catch {
            found = error
        }
        return (found, FileManager.default.fileExists(atPath: folder.path(percentEncoded: false)))
    }

    @Test("A pin of another size than a digest is refused, not ignored")
    func unusablePin() async {
        var configuration = Configuration(authCloudHostname: "server.example")
        configuration.pinnedCertificates = [Data([1, 2, 3])]
        let end = await error(with: configuration)
        #expect(end.error?.cause as? InvalidParameterError == InvalidParameterError("pinnedCertificates"))
        #expect(!end.hasFolder)
    }

    @Test("N-L11: a certificate that is none is refused before keys are made; DER, PEM and both together are taken")
    func unusableCertificate() async throws {
        let der = Data(StatedChannelBindingTests.certificate)
        let pem = Data("-----BEGIN CERTIFICATE-----\n\(der.base64EncodedString())\n-----END CERTIFICATE-----\n".utf8)
        var configuration = Configuration(authCloudHostname: "server.example")
        configuration.additionalTrustedCertificates = [der, pem, Data("# ours\n".utf8) + pem + pem]
        #expect(await error(with: configuration).error == nil)
        let cut = Data("-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n".utf8)
        for nonsense in [
            Data(), Data("nonsense".utf8), Data([1, 2, 3]), der.dropLast(), der + [0], cut, pem + cut,
            Data("-----BEGIN CERTIFICATE-----\n".utf8),
        ] {
            configuration.additionalTrustedCertificates = [der, nonsense]
            let end = await error(with: configuration)
            #expect(
                end.error?.cause as? InvalidParameterError == InvalidParameterError("additionalTrustedCertificates"))
            #expect(!end.hasFolder)
        }
    }

    @Test("An address that no operation can use is found before keys are made")
    func unusableAddress() async throws {
        for (text, isInsecure) in [
            ("http://server.example", true), ("https://", false), ("https://a:b@c.example", false),
        ] {
            let end = await error(with: Configuration(baseUrl: try #require(URL(string: text))))
            #expect(isInsecure == (end.error?.cause is InsecureAddressError))
            #expect(isInsecure || end.error?.cause as? InvalidParameterError == InvalidParameterError("baseUrl"))
            #expect(!end.hasFolder)
        }
        #expect(await error(with: Configuration(authCloudHostname: "no host")).error != nil)
    }
}

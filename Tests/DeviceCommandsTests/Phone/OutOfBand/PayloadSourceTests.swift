import BackendAPI
import CommandSupport
import Foundation
import MobileAuthentication
import MobileAuthenticationTestKit
import Testing

@testable import DeviceCommands

@Suite("A payload comes from a picture, a file, a text or standard input")
struct PayloadSourceTests {
    private static let payload =
        #"{"nma_data":{"token":"t","redeem_url":"https://a.example/r"},"nma_data_content_type":"application/json","nma_data_version":"1"}"#

    private func file(_ content: Data) throws -> (TemporaryFolder, PayloadSource) {
        let folder = try TemporaryFolder(named: "signet-payload")
        let url = folder.url.appending(path: "file")
        try content.write(to: url)
        return (folder, PayloadSource(url.path()))
    }

    private func payload(_ source: PayloadSource) async throws -> OutOfBandPayload {
        let phone = try await TestPhone(server: try #require(URL(string: "https://a.example")))
        return try source.payload(of: phone.client)
    }

    @Test("A hyphen is standard input, the path of a file is the file, everything else a text")
    func kinds() throws {
        let (folder, source) = try file(Data("x".utf8))
        #expect(PayloadSource("-") == .standardInput)
        #expect(source == .file(folder.url.appending(path: "file").path()))
        #expect(PayloadSource("/no/such/file") == .text("/no/such/file"))
    }

    @Test("A file with a push message and the text of a code give the same payload")
    func same() async throws {
        let (folder, source) = try file(Data((Self.payload + "\n").utf8))
        let code = try OutOfBandEnvelope(body: Array(Self.payload.utf8)).base64URL
        let fromFile = try await payload(source)
        #expect(fromFile == (try await payload(.text(code))))
        #expect(fromFile.redeemData == .plain(token: "t", redeemUrl: "https://a.example/r"))
        withExtendedLifetime(folder) {}
    }

    @Test("Bytes that are no text, and a damaged picture, are refused in words")
    func refused() async throws {
        for content in [Data([0xFF, 0xFE, 0x00]), Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0x00])] {
            let (folder, source) = try file(content)
            await #expect(throws: CommandFailure.self) { try await payload(source) }
            withExtendedLifetime(folder) {}
        }
    }

    @Test("Text that is no payload is refused by the SDK")
    func noPayload() async throws {
        await #expect(throws: OutOfBandPayloadError.self) { try await payload(.text("bm90aGluZw")) }
    }
}

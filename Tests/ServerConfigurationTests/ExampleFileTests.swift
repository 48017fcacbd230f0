import Foundation
import ServerConfiguration
import Testing

@Suite("packaging/signet.yaml, the example with every setting")
struct ExampleFileTests {
    private static let secret = (text: String(repeating: "s", count: 43), permissions: UInt16(0o600))
    private static let files: [String: (text: String, permissions: UInt16)] = [
        "/etc/signet/master.key": secret, "/etc/signet/key.pem": secret, "/etc/signet/portal.key": secret,
        "/etc/signet/shop.secret": secret, "/etc/signet/proxy-password": secret, "/etc/signet/chain.pem": ("", 0o644),
        "/etc/signet/shop.hook": ("whsec_" + String(repeating: "c2ln", count: 8), 0o600),
    ]

    @Test("Nothing stands against the example but the files that it names and this machine has not")
    func example() throws {
        let path = URL(filePath: #filePath).appending(path: "../../../packaging/signet.yaml").standardizedFileURL
        let text = try String(contentsOf: path, encoding: .utf8)
        let absent = [
            "/etc/signet/idp-jwks.json", "/etc/signet/metadata/", "tpm-authorities.pem",
            "/etc/signet/service-account.json",
            "/etc/signet/ca.pem",
        ]
        let found = problems(text, files: Self.files)
        #expect(found.count == absent.count)
        for file in absent { #expect(found.contains { $0.hasSuffix("cannot read \(file)") }, "\(file)") }
        let misspelled = problems(text.replacing("drain-time:", with: "drian-time:"), files: Self.files)
        #expect(misspelled.contains { $0.contains("server.drian-time") })
    }
}

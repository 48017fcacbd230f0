import StrictJSON
import TestSupport
import Testing
import UAF

@Suite(
    "UAF Protocol 1.1, 3.1.10: server end point vectors", .enabled(if: VectorFolder.isPresent, VectorFolder.absence))
struct ServerEndPointTests {
    private static let identifiers = [
        "sha1WithRSAEncryption": "1.2.840.113549.1.1.5", "sha256WithRSAEncryption": "1.2.840.113549.1.1.11",
        "ecdsa-with-SHA384": "1.2.840.10045.4.3.3", "ecdsa-with-SHA512": "1.2.840.10045.4.3.4",
        "Ed25519": "1.3.101.112",
    ]
    private static let hashes: [String: ServerEndPointHash?] = [
        "SHA-256": .sha256, "SHA-384": .sha384, "SHA-512": .sha512, "absent": nil,
    ]

    @Test("The hash follows the signature algorithm of the certificate")
    func cases() throws {
        // The other cases of the file are authenticator commands, which this package does not have.
        let entry = try #require(
            try VectorFile.cases("client-commands.json").first {
                try $0.string("id") == "channelbinding-serverEndPoint"
            })
        entry.requireOnly("id", "note", "cases")
        for pair in try entry.values("cases") {
            let texts = try pair.asArray { value throws(JSONTypeError) in try value.asString() }
            try #require(texts.count == 2)
            let identifier = try #require(Self.identifiers[texts[0]])
            let expected = try #require(Self.hashes[texts[1]])
            #expect(ServerEndPointHash(signatureAlgorithm: identifier) == expected, "\(texts[0])")
        }
    }
}

import JOSE
import Octets
import StrictJSON
import TestSupport
import Testing

@Suite("JWE of the project's matrix", .enabled(if: VectorFolder.isPresent, VectorFolder.absence))
struct JWEMatrixTests {
    /// What the vectors use beside our list.
    private static let foreignNames = ["ECDH-ES+A192KW", "A192GCM", "A192CBC-HS384"]

    private struct Case {
        let name: String
        let token: String
        let receiver: JWEReceiver
    }

    private func cases(_ list: String) throws -> [(JSONObject, Case)] {
        let file = try JSONValue.file("jose-matrix/jwe-ecdh-es.json")
        let keys = try file.objects("keys")
        return try file.objects(list).map { entry in
            try #require(try entry.string("expect") == list)
            let receiver = try JWEReceiver(privateJWK: keys[entry.integer("key")])
            let why = try entry.optionalString("why") ?? "good"
            let name = "\(try entry.string("id")): \(why)"
            return (entry, Case(name: name, token: try entry.string("jwe"), receiver: receiver))
        }
    }

    @Test("Good tokens of our algorithms open, tokens of other algorithms are refused for it")
    func good() throws {
        for (entry, item) in try cases("accept") {
            let names = [try entry.string("alg"), try entry.string("enc")]
            if names.contains(where: Self.foreignNames.contains) {
                #expect(throws: JOSEError.unsupportedAlgorithm, "\(item.name)") {
                    try CompactJWE(parsing: item.token)
                }
                continue
            }
            #expect(try item.receiver.open(item.token) == Hex.decode(entry.string("plaintext_hex")), "\(item.name)")
            let header = try CompactJWE(parsing: item.token).header
            #expect([header.algorithm.rawValue, header.encryption.rawValue] == names, "\(item.name)")
        }
    }

    @Test("Every hostile token is refused")
    func hostile() throws {
        for (_, item) in try cases("reject") {
            #expect(throws: JOSEError.self, "\(item.name)") { try item.receiver.open(item.token) }
        }
    }
}

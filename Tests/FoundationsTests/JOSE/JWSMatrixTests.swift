import JOSE
import Octets
import StrictJSON
import TestSupport
import Testing

@Suite("JWS of the project's matrix", .enabled(if: VectorFolder.isPresent, VectorFolder.absence))
struct JWSMatrixTests {
    @Test("Good tokens of our algorithms verify; PS256 is refused")
    func good() throws {
        let file = try JSONValue.file("jose-matrix/jws.json")
        let keys = try file.objects("keys")
        for entry in try file.objects("accept") {
            let id = try entry.string("id")
            #expect(try entry.string("expect") == "accept", "\(id)")
            let key = keys[try entry.integer("key")]
            let token = try entry.string("jws")
            switch try entry.string("alg") {
            case "ES256", "RS256":
                let verified = try CompactJWS(parsing: token).verified(by: try JWK(.object(key)))
                #expect(try verified.payload == Hex.decode(entry.string("payload_hex")), "\(id)")
            case "PS256":
                #expect(throws: JOSEError.unsupportedAlgorithm, "\(id)") { try CompactJWS(parsing: token) }
                #expect(throws: JOSEError.unsupportedKey, "\(id)") {
                    try JWK(.object(key)).verificationAlgorithm()
                }
            case let other: Issue.record("unknown algorithm \(other) of \(id)")
            }
        }
    }

    @Test("Every hostile token is refused")
    func hostile() throws {
        let file = try JSONValue.file("jose-matrix/jws.json")
        let keys = try file.objects("keys")
        for entry in try file.objects("reject") {
            #expect(try entry.string("expect") == "reject")
            let key = try JWK(.object(keys[try entry.integer("key")]))
            let token = try entry.string("jws")
            let name = try "\(entry.string("id")): \(entry.string("why"))"
            #expect(throws: JOSEError.self, "\(name)") {
                try CompactJWS(parsing: token).verified(by: key)
            }
        }
    }
}

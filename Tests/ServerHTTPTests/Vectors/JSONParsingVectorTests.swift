import HTTPTypes
import HummingbirdTesting
import Octets
import ServerCore
import StrictJSON
import TestSupport
import Testing

@testable import ServerHTTP

@Suite("Vectors json-parsing: every file through the endpoints")
struct JSONParsingVectorTests {
    @Test(
        "No body brings an answer of the 500s",
        .enabled(if: VectorFolder.isPresent, VectorFolder.absence), arguments: ["parsing", "transform"])
    func neverFails(file: String) async throws {
        let document = try JSONParser.parse(
            VectorFolder.bytes(of: "json-parsing/\(file).json"), limits: .document
        ).asObject()
        let bodies = try document.required("cases") { value throws(JSONTypeError) in
            try value.asArray { sample throws(JSONTypeError) in try Self.body(sample) }
        }
        #expect(!bodies.isEmpty)
        let server = try await ServerFixture.open { $0.conformance = true }
        try await server.test { client in
            for (name, body) in bodies {
                let tool = try await client.post("/respond", body, type: "application/json", accept: nil)
                let service = try await client.post("/nevisfido/uaf/1.1/registration", body)
                #expect(tool.status.code < 500, "\(name)")
                #expect(service.status.code < 500, "\(name)")
            }
        }
    }

    private static func body(_ json: JSONValue) throws(JSONTypeError) -> (name: String, body: [UInt8]) {
        let members = try json.asObject()
        let text = { (value: JSONValue) throws(JSONTypeError) in try value.asString() }
        guard let body = try? Base64.decode(try members.required("bytes", text)) else {
            throw JSONTypeError(.invalidForm)
        }
        return (try members.required("name", text), body)
    }
}

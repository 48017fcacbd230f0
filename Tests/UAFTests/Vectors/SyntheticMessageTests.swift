import Octets
import StrictJSON
import TestSupport
import Testing
import UAF

@Suite(
    "UAF Protocol 1.1, 3.4.3 and 3.5.5: synthetic messages", .enabled(if: VectorFolder.isPresent, VectorFolder.absence))
struct SyntheticMessageTests {
    @Test("Every accepted message is read, written back to an equal value and bound by its hash")
    func accepted() throws {
        for entry in try allCases() where try isAccepted(entry) {
            let id = try entry.string("id")
            let message = JSONWriter.write(try #require(entry["response"]))
            let response = try OperationResponse(message: message)
            #expect(try OperationResponse(message: response.message) == response, "\(id)")
            let hashes = readableHashes(response)
            let expected = FinalChallengeParameters.hash(ofEncoded: fcParams(response))
            #expect(hashes.contains(expected), "\(id)")
        }
    }

    @Test("Every refused message is read or refused by a typed error, whatever is wrong with it")
    func refused() throws {
        for entry in try allCases() where try !isAccepted(entry) {
            let message = JSONWriter.write(try #require(entry["response"]))
            do throws(MessageError) {
                _ = readableHashes(try OperationResponse(message: message))
            } catch {
                #expect(error.clientErrorCode == .protocolError)
            }
        }
    }

    @Test("Every metadata statement and policy of a case is read and written back to an equal value")
    func contexts() throws {
        for entry in try allCases() {
            let context = try entry.object("context")
            for statement in try context.objects("metadata") {
                let read = try MetadataStatement(json: .object(statement), rules: .strict)
                #expect(try MetadataStatement(json: read.json, rules: .strict) == read)
            }
            let policy = try Policy(json: #require(context["policy"]), rules: .strict)
            #expect(try Policy(json: policy.json, rules: .strict) == policy)
        }
    }

    private func allCases() throws -> [JSONObject] {
        let files = try VectorFolder.files(in: "uaf", prefix: "synthetic-")
        try #require(!files.isEmpty)
        return try files.flatMap { try VectorFile.cases($0) }
    }

    private func isAccepted(_ entry: JSONObject) throws -> Bool {
        try entry.object("expect").required("accept") { value throws(JSONTypeError) in try value.asBool() }
    }

    private func fcParams(_ response: OperationResponse) -> String {
        switch response {
        case .registration(let response): response.finalChallenge.encoded
        case .authentication(let response): response.finalChallenge.encoded
        }
    }

    /// The final challenge hashes of all assertions that can be read.
    private func readableHashes(_ response: OperationResponse) -> [[UInt8]] {
        switch response {
        case .registration(let response):
            response.assertions.compactMap { entry in
                (try? RegistrationAssertion(octets: entry.octets()))?.keyRegistrationData.finalChallengeHash
            }
        case .authentication(let response):
            response.assertions.compactMap { entry in
                (try? AuthenticationAssertion(octets: entry.octets()))?.signedData.hashes.finalChallenge
            }
        }
    }
}

import StrictJSON
import TestSupport
import Testing
import UAF

@Suite(
    "UAF Protocol 1.1, 3.6.4.2: deregistration vectors", .enabled(if: VectorFolder.isPresent, VectorFolder.absence))
struct DeregistrationVectorTests {
    @Test("Every request removes exactly the stated keys or fails with the stated code")
    func cases() throws {
        for entry in try VectorFile.cases("client-dereg.json") {
            entry.requireOnly("id", "message", "before", "expect", "why")
            let expect = try entry.object("expect")
            expect.requireOnly("error", "removed")
            let expected = try expect.values("removed").map { pair in
                try pair.asArray { value throws(JSONTypeError) in try value.asString() }
            }
            let (removed, error) = try process(entry)
            let id = try entry.string("id")
            #expect(removed.map { [$0.aaid.text, $0.keyID.base64URL] } == expected, "\(id)")
            #expect(error == expect["error"]?.errorCode, "\(id)")
        }
    }

    private func process(_ entry: JSONObject) throws -> ([CredentialID], ClientErrorCode?) {
        let message = JSONWriter.write(try #require(entry["message"]))
        do {
            guard case .deregistration(let request) = try OperationRequest(message: message) else {
                throw UnknownExpectation(text: "not a deregistration")
            }
            return (request.keysToForget(among: try held(entry, for: request.header.appID)), nil)
        } catch let error as MessageError {
            return ([], error.clientErrorCode)
        }
    }

    /// What a client holds for the AppID of the request, and nothing else.
    private func held(_ entry: JSONObject, for appID: AppID?) throws -> [CredentialID] {
        try entry.objects("before").compactMap { key in
            key.requireOnly("aaid", "appID", "keyID")
            guard try key.required("appID", as: AppID.self, rules: .strict) == appID else { return nil }
            return CredentialID(
                aaid: try key.required("aaid", rules: .strict), keyID: try key.required("keyID", rules: .strict))
        }
    }
}

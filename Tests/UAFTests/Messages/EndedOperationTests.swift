import Testing
import UAF

@Suite("backend-http-api 1.6: the report of an operation that ended on the device")
struct EndedOperationTests {
    private func ended(_ member: String, _ value: String?) throws(MessageError) -> EndedOperation {
        let report = MessageSample.response.merging(["assertions": "[]"]) { $1 }
        return try EndedOperation(message: Array("[\(MessageSample.replacing(member, by: value, in: report))]".utf8))
    }

    @Test("A response without assertions is read", arguments: ["Reg", "Auth"])
    func read(operation: String) throws {
        let report = try ended("header", MessageSample.header(operation))
        #expect(report.header.operation.rawValue == operation)
        #expect(report.finalChallenge.encoded == MessageSample.fcParams)
    }

    @Test("A response with assertions, or with none at all, is no report", arguments: ["[{}]", "null", "{}", nil])
    func assertions(value: String?) {
        #expect(throws: MessageError.invalidMember(path: ["assertions"], .invalidForm)) {
            try ended("assertions", value)
        }
    }

    @Test("The rest must be as in a response")
    func rest() {
        #expect(throws: MessageError.self) { try ended("fcParams", nil) }
        #expect(throws: MessageError.self) { try ended("fcParams", #""e30""#) }
        #expect(throws: MessageError.self) { try ended("header", nil) }
        #expect(throws: MessageError.self) { try ended("header", MessageSample.header("Dereg")) }
    }

    @Test("A response without assertions stays refused as an answer")
    func noAnswer() {
        let report = MessageSample.replacing("assertions", by: "[]", in: MessageSample.response)
        #expect(MessageSample.serverError(report) != nil)
    }
}

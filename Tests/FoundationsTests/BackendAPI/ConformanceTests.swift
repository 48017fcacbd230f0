import BackendAPI
import Testing
import UAF

@Suite("The conformance tool's dictionaries")
struct ConformanceTests {
    private func translated(_ operation: String, _ context: String) throws(BackendAPIError) -> GetUAFRequest {
        let escaped = context.replacing("\"", with: "\\\"")
        return try GetUAFRequest(body: Array(#"{"op":"\#(operation)","context":"\#(escaped)"}"#.utf8))
            .translatedFromConformance()
    }

    @Test("Registration and authentication name the user; a text to confirm becomes a transaction")
    func requests() throws {
        let registration = try translated("Reg", #"{"username":"a"}"#)
        #expect(try registration.context(as: RegistrationContext.self).username.text == "a")
        let request = try translated("Auth", #"{"username":"a","transaction":"Pay"}"#)
        let authentication = try request.context(as: AuthenticationContext.self)
        #expect(authentication.username?.text == "a")
        #expect(authentication.transactions.map(\.content) == [Array("Pay".utf8)])
        #expect(authentication.transactions.map(\.contentType) == [.plainText])
    }

    @Test("Deregistration is of one model or of everything")
    func deregistration() throws {
        let one = try translated("Dereg", #"{"username":"a","deregisterAAID":"FFFF#FC01"}"#)
        #expect(
            one
                == GetUAFRequest(
                    DeregistrationContext(username: UserName("a"), scope: .models([try #require(AAID("FFFF#FC01"))]))))
        let all = try translated("Dereg", #"{"username":"a","deregisterAll":true}"#)
        #expect(all == GetUAFRequest(DeregistrationContext(username: UserName("a"), scope: .everything)))
    }

    @Test(
        "What an operation needs must be there and well formed",
        arguments: [
            ("Reg", "{}"), ("Dereg", #"{"username":"a"}"#), ("Dereg", #"{"deregisterAAID":"<script>"}"#),
            ("Dereg", #"{"deregisterAll":1}"#), ("Delete", "{}"), ("Auth", "x"),
        ])
    func refused(operation: String, context: String) {
        let error = #expect(throws: BackendAPIError.self) { try translated(operation, context) }
        #expect(error?.answer == .uaf(statusCode: 1400))
    }
}

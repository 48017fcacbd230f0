import BackendTransport
import TestSupport
import Testing

@Suite("SDK-15: requests and responses print their sizes only")
struct DisclosureTests {
    private static let canary = "canary-7f3a9c51d2"

    @Test("Neither address nor header fields nor body are shown")
    func printing() {
        let headers: HeaderFields = [.init("Authorization", "Bearer \(Self.canary)")]
        let body = Array(#"{"token":"\#(Self.canary)"}"#.utf8)
        let request = BackendRequest(.post, "https://server.example/\(Self.canary)", headers: headers, body: body)
        let response = BackendResponse(status: 200, headers: headers, body: body)
        for value: Any in [request, response, headers, headers.fields] {
            #expect(!Disclosure.shows(Self.canary, in: value))
            #expect(!Disclosure.shows(String(Self.canary.dropFirst()), in: value))
        }
        #expect("\(request)" == "POST, 29 bytes" && "\(response)" == "200, 29 bytes")
        #expect("\(headers)".contains("Authorization"))
    }
}

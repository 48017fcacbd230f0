import BackendTransport
import Octets
import TestSupport
import Testing

@Suite("D-H2: a recording holds each exchange in order and nothing that is not known to be harmless")
struct RecordingTransportTests {
    /// Answers every request with the same response or failure.
    private struct FixedTransport: HTTPTransport {
        let result: Result<BackendResponse, BackendTransportError>

        func response(to request: BackendRequest) async throws(BackendTransportError) -> BackendResponse {
            try result.get()
        }
    }

    private static let jws = "eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJTRUNSRVQifQ.U0VDUkVULXNpZ25hdHVyZS0xMjM0"

    // MARK: - Form

    @Test("Requests and responses are files in order with sizes and times, for their owner only")
    func files() async throws {
        let folder = try TemporaryFolder()
        let inner = folder.path + "/recordings"
        let response = BackendResponse(
            status: 200, headers: [.init("Date", "today")], body: Array(#"{"op":"Reg"}"#.utf8))
        let transport = RecordingTransport(FixedTransport(result: .success(response)), intoFolderAt: inner)
        for _ in 0..<2 {
            #expect(try await transport.response(to: BackendRequest(.get, "https://localhost/uaf/1.1/a")) == response)
        }
        #expect(
            try folder.names(in: "recordings") == [
                "001-request.http", "001-response.http", "002-request.http", "002-response.http",
            ])
        let request = try text(folder, "recordings/001-request.http")
        #expect(request == "GET https://localhost/uaf/1.1/a HTTP/1.1\r\nRecorded: 0 bytes\r\n\r\n")
        let answer = try text(folder, "recordings/001-response.http")
        #expect(answer.hasPrefix("HTTP/1.1 200\r\nRecorded: 12 bytes after "))
        #expect(answer.hasSuffix(" ms\r\nDate: today\r\n\r\n{\"op\":\"Reg\"}"))
        #expect(try folder.permissions(of: "recordings") == 0o700)
        for name in try folder.names(in: "recordings") {
            #expect(try folder.permissions(of: "recordings/" + name) == 0o600)
        }
    }

    @Test("A failure is recorded and given out")
    func failure() async throws {
        let folder = try TemporaryFolder()
        let transport = RecordingTransport(FixedTransport(result: .failure(.timedOut)), intoFolderAt: folder.path)
        await #expect(throws: BackendTransportError.timedOut) {
            try await transport.response(to: BackendRequest(.get, "https://localhost/"))
        }
        #expect(try text(folder, "001-failure.txt").hasPrefix("timedOut after "))
    }

    @Test("What diagnoses a refusal stays: status codes, operations, models, trace names, paths, versions")
    func kept() async throws {
        let bodies = [
            #"{"timestamp":"2026-11-23T00:25:01.123Z","status":401,"error":"Unauthorized","code":"tokenExpired","#
                + #""path":"/nevisfido/devices","traceId":"4bf92f3577b34da6a3ce929d0e0e4736"}"#,
            #"[{"header":{"upv":{"major":1,"minor":1},"op":"Auth"},"aaid":"F1D0#1001","isSecondFactorOnly":false}]"#,
            #"{"statusCode":1200,"additionalTokens":null}"#,
        ]
        for body in bodies { #expect(try await recorded(body: body).hasSuffix("\r\n\r\n" + body)) }
    }

    // MARK: - Secrets

    @Test(
        "Tokens, cookies, digits, passwords and push tokens are masked in every header field",
        arguments: [
            ("Authorization", "Bearer SECRET"), ("authorization", "SECRET"), ("Cookie", "a=SECRET; b=SECRET2"),
            ("set-cookie", "sid=SECRET; Path=/SECRET9x; HttpOnly"), ("Device-Signature", jws), ("X-New", "SECRET"),
            ("Location", "https://SECRET@localhost/a?token=SECRET#SECRET"), ("X-SECRET-9", "1"),
            ("Server", jws), ("User-Agent", "SECRETSECRETSECRET1"), ("WWW-Authenticate", "Basic realm=SECRET"),
        ])
    func fields(name: String, value: String) async throws {
        let record = try await recorded(headers: [.init(name, value)])
        #expect(!record.contains("SECRET") && !record.contains("eyJ"), "\(record)")
        #expect(record.contains(/<(text|jws) \d+ #[0-9a-f]{8}>/))
    }

    @Test(
        "Nothing of a secret is left in a body, however it is wrapped",
        arguments: [
            #"{"additionalTokens":[{"type":"JWT","value":"SECRET"}]}"#, #"{"digits":"SECRET"}"#,
            #"{"context":"{\"token\":\"SECRET\",\"nested\":\"{\\\"push\\\":\\\"SECRET\\\"}\"}"}"#,
            #"{"statusCode":"SECRET9","op":"SECRET9","path":"/a/SECRET9"}"#, #"{"SECRET9":true}"#,
            #"{"password":"SECRET"#, #"{"password":"SECRET","password":"SECRET"}"#, #""SECRET""#, "SECRET",
            #"{"message":"the password SECRET is wrong","description":"SECRET"}"#,
            #"{"uafProtocolMessage":"\#(Base64URL.encode(Array(#"[{"challenge":"SECRET"}]"#.utf8)))"}"#,
            #"{"fcParams":"\#(Base64.encode(Array(#"{"challenge":"SECRET"}"#.utf8)))"}"#,
            jws, #"{"any":"\#(jws)","code":"\#(jws)"}"#, "\u{0}\u{1}SECRET", #"{"nma_data":{"b":["SECRET"]}}"#,
        ])
    func bodies(body: String) async throws {
        for type in ["application/json", "application/jose", "text/html", "application/x-www-form-urlencoded"] {
            let record = try await recorded(headers: [.init("Content-Type", type)], body: body)
            for trace in ["SECRET", "eyJ", "U0VDUkVU", "1NFQ1JFV", "RTRUNSRV"] {
                #expect(!record.contains(trace), "\(type): \(record)")
            }
        }
    }

    @Test("Forms and queries keep their names")
    func forms() async throws {
        let record = try await recorded(
            headers: [.init("Content-Type", "application/x-www-form-urlencoded; charset=utf-8")],
            body: "isiwebuserid=SECRET&isiwebpasswd=%53ECRET&status=ok&SECRET9=1&a")
        #expect(!record.contains("SECRET"))
        #expect(record.contains(/isiwebuserid=<text 6 #\w{8}>&isiwebpasswd=<text 6 #\w{8}>&status=ok&</))
        let query = try await recorded(url: "https://localhost/open?dispatchTokenResponse=SECRET&code=12345")
        #expect(query.contains(/\/open\?dispatchTokenResponse=<text 6 #\w{8}>&code=<digits 5 #\w{8}> HTTP/))
    }

    @Test("Equal secrets of one recording have equal marks, and other ones in another recording")
    func salted() async throws {
        func marks(of record: String) -> [String] { record.matches(of: /#([0-9a-f]{8})/).map { String($0.1) } }
        let body = #"{"token":"SECRET","context":"{\"again\":\"SECRET\",\"other\":\"PUBLIC\"}"}"#
        let first = marks(of: try await recorded(body: body))
        #expect(first.count == 3 && first[0] == first[1] && first[1] != first[2])
        #expect(marks(of: try await recorded(body: body)) != first)
    }

    @Test("JSON inside strings keeps its form, so that a reader sees what was sent")
    func nested() async throws {
        let inner = Base64URL.encode(Array(#"{"appID":"https://localhost/facets","challenge":"SECRET"}"#.utf8))
        let record = try await recorded(
            body: #"{"uafResponse":"[{\"header\":{\"op\":\"Auth\"},\"fcParams\":\"\#(inner)\"}]"}"#)
        #expect(record.contains(#"[{"header":{"op":"Auth"},"fcParams":{"<base64url \#(inner.utf8.count)>":{"appID":"#))
        #expect(record.contains(#""https://localhost/facets""#))
    }

    // MARK: - Hostile messages

    @Test("Hostile bodies end in a mark and never in a trap")
    func hostile() async throws {
        let deep = String(repeating: "[", count: 100_000)
        var nest = "\"SECRET\""
        for _ in 0..<12 { nest = "{\"a\":\"\(Base64URL.encode(Array(nest.utf8)))\"}" }
        let bodies: [[UInt8]] = [
            Array(deep.utf8), Array((deep + "\"SECRET\"" + String(repeating: "]", count: 100_000)).utf8),
            Array(nest.utf8), Array(0...255), [0xFF, 0xFE, 0x7B], Array(repeating: UInt8(ascii: "e"), count: 1 << 20),
            Array(("{\"a\":\"" + String(repeating: "SECRET", count: 200_000) + "\"}").utf8), Array("%".utf8),
            Array("=&=&&%zz=%".utf8), Array("{}".utf8) + [0], Array("{\"\":{\"\":{\"\":1e999999}}}".utf8),
        ]
        for body in bodies {
            for type in ["application/json", "application/x-www-form-urlencoded"] {
                let record = try await recorded(headers: [.init("content-type", type)], octets: body)
                #expect(!record.contains("SECRET"))
            }
        }
        for url in ["", "://", "https://", "?", "#", "https://[::1]:1/%zz/%", "a?b#c?d&=#", "https:///@/"] {
            #expect(!(try await recorded(url: url)).isEmpty)
        }
    }

    // MARK: - Support

    /// What a recording says of a request, and of the same header fields and body in a response.
    private func recorded(
        url: String = "https://localhost/", headers: HeaderFields = [], body: String = ""
    ) async throws -> String {
        try await recorded(url: url, headers: headers, octets: Array(body.utf8))
    }

    private func recorded(
        url: String = "https://localhost/", headers: HeaderFields = [], octets: [UInt8]
    ) async throws -> String {
        let folder = try TemporaryFolder()
        let response = BackendResponse(status: 200, headers: headers, body: octets)
        let transport = RecordingTransport(FixedTransport(result: .success(response)), intoFolderAt: folder.path)
        _ = try await transport.response(to: BackendRequest(.post, url, headers: headers, body: octets))
        let (request, answer) = (try text(folder, "001-request.http"), try text(folder, "001-response.http"))
        let ends = [request, answer].map { $0.split(separator: "\r\n").dropFirst(2).joined(separator: "\r\n") }
        #expect(ends[0] == ends[1])
        return request
    }

    private func text(_ folder: TemporaryFolder, _ name: String) throws -> String {
        String(decoding: try folder.bytes(of: name), as: UTF8.self)
    }
}

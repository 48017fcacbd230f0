import BackendTransport
import TestSupport
import Testing

@Suite("A record holds each exchange in order and none of its secrets")
struct RecordingTransportTests {
    /// Answers every request with the same response or failure.
    private struct FixedTransport: HTTPTransport {
        let result: Result<BackendResponse, BackendTransportError>

        func response(to request: BackendRequest) async throws(BackendTransportError) -> BackendResponse {
            try result.get()
        }
    }

    @Test("Requests and responses are files in order, for their owner only")
    func files() async throws {
        let folder = try TemporaryFolder()
        let response = BackendResponse(status: 200, headers: [.init("X", "y")], body: Array("yes".utf8))
        let transport = RecordingTransport(FixedTransport(result: .success(response)), intoFolderAt: folder.path)
        for _ in 0..<2 {
            #expect(try await transport.response(to: BackendRequest(.get, "https://localhost/a")) == response)
        }
        #expect(
            try folder.names() == ["001-request.http", "001-response.http", "002-request.http", "002-response.http"])
        #expect(try text(folder, "001-request.http") == "GET https://localhost/a HTTP/1.1\r\n\r\n")
        #expect(try text(folder, "001-response.http") == "HTTP/1.1 200\r\nX: y\r\n\r\nyes")
        #expect(try folder.permissions(of: "001-request.http") == 0o600)
    }

    @Test("A failure is recorded and given out")
    func failure() async throws {
        let folder = try TemporaryFolder()
        let transport = RecordingTransport(FixedTransport(result: .failure(.timedOut)), intoFolderAt: folder.path)
        await #expect(throws: BackendTransportError.timedOut) {
            try await transport.response(to: BackendRequest(.get, "https://localhost/"))
        }
        #expect(try text(folder, "001-failure.txt") == "timedOut\n")
    }

    @Test("Authorization, cookies, tokens and passwords are masked; the rest stays")
    func secrets() async throws {
        let folder = try TemporaryFolder()
        let response = BackendResponse(
            status: 200, headers: [.init("set-cookie", "sid=SECRET1; Path=/; HttpOnly")],
            body: Array(#"{"token" : "SECRET2", "keep":"kept"}"#.utf8))
        let transport = RecordingTransport(FixedTransport(result: .success(response)), intoFolderAt: folder.path)
        let headers: HeaderFields = [
            .init("Authorization", "Bearer SECRET3"), .init("COOKIE", "a=SECRET4; b=SECRET5"), .init("Accept", "kept"),
        ]
        let bodies = [
            #"{"user":"kept","password":"SECRET6\"SECRET7","x":1}"#, "user=kept&password=SECRET8&x=1",
            "PASSWORD=SECRET9",
            #"{"password":"SECRET10"#,
        ]
        for body in bodies {
            let request = BackendRequest(.post, "https://localhost/", headers: headers, body: Array(body.utf8))
            _ = try await transport.response(to: request)
        }
        let names = try folder.names()
        #expect(names.count == bodies.count * 2)
        for name in names { #expect(!(try text(folder, name).contains("SECRET")), "\(name)") }
        let first = try text(folder, "001-request.http")
        #expect(first.contains("Authorization: Bearer ***\r\n"))
        #expect(first.contains("COOKIE: a=***; b=***\r\n"))
        #expect(first.hasSuffix(#"{"user":"kept","password":"***","x":1}"#))
        #expect(try text(folder, "002-request.http").hasSuffix("user=kept&password=***&x=1"))
        #expect(try text(folder, "001-response.http").contains("set-cookie: sid=***; Path=/; HttpOnly\r\n"))
        #expect(try text(folder, "001-response.http").hasSuffix(#"{"token" : "***", "keep":"kept"}"#))
    }

    private func text(_ folder: TemporaryFolder, _ name: String) throws -> String {
        String(decoding: try folder.bytes(of: name), as: UTF8.self)
    }
}

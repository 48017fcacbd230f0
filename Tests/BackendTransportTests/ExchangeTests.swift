import BackendTransport
import TestSupport
import Testing

/// What every transport keeps; each is run as far as it runs here.
@Suite("One request, one response, by either transport", .serialized, .timeLimit(.minutes(10)))
struct ExchangeTests {
    typealias Subject = TransportSubject

    @Test(
        "Method, header fields and body go out; status, header fields and body come back", arguments: Subject.allCases)
    func exchange(subject: Subject) async throws {
        let observer = LoopbackServer.Observer()
        let response = try await subject.send(observer: observer) { base in
            BackendRequest(
                .post, base + "/echo", headers: [.init("Content-Type", "application/json"), .init("X-Test", "1")],
                body: Array("{}".utf8))
        }
        #expect(response.status == 201 && response.body == Array("{}".utf8))
        #expect(response.headers.values(of: "set-cookie") == ["session=abc; Path=/"])
        #expect(response.headers.first("Content-Type") == "text/plain")
        #expect(observer.seen.count == 1)
        #expect(observer.seen.first?.contains("x-test") == true)
    }

    @Test(
        "SEC-26: nothing is sent that is not asked for: no cookies, authorization, origin or referrer",
        arguments: Subject.allCases)
    func anonymous(subject: Subject) async throws {
        let observer = LoopbackServer.Observer()
        _ = try await subject.send(observer: observer) { BackendRequest(.get, $0 + "/hello") }
        let sent = try #require(observer.seen.first)
        for name in ["cookie", "authorization", "origin", "referer"] { #expect(!sent.contains(name)) }
    }

    @Test("A redirect is given out and not followed", arguments: Subject.allCases)
    func redirect(subject: Subject) async throws {
        let observer = LoopbackServer.Observer()
        let response = try await subject.send(observer: observer) { BackendRequest(.get, $0 + "/redirect") }
        #expect(response.status == 302)
        #expect(response.headers.first("location") == "/hello")
        #expect(observer.seen.count == 1)
    }

    @Test("SDK-14: A redirect to an address without TLS is given out and not followed", arguments: Subject.allCases)
    func downgrade(subject: Subject) async throws {
        let observer = LoopbackServer.Observer()
        let response = try await subject.send(observer: observer) { BackendRequest(.get, $0 + "/downgrade") }
        #expect(response.status == 301)
        #expect(response.headers.first("location") == "http://127.0.0.1/hello")
        #expect(observer.seen.count == 1)
    }

    @Test("A body of the limit is taken, one byte more is refused", arguments: Subject.allCases)
    func limit(subject: Subject) async throws {
        let response = try await subject.send { BackendRequest(.get, $0 + "/bytes/65536") }
        #expect(response.body.count == 65_536)
        await #expect(throws: BackendTransportError.responseTooLarge(limit: 65_536)) {
            try await subject.send { BackendRequest(.get, $0 + "/bytes/65537") }
        }
        let facets = try await subject.send { BackendRequest(.get, $0 + "/bytes/262144", responseByteLimit: 262_144) }
        #expect(facets.body.count == 262_144)
    }

    @Test("A body that never ends is cut off at the limit", arguments: Subject.allCases)
    func endless(subject: Subject) async {
        await #expect(throws: BackendTransportError.responseTooLarge(limit: 65_536)) {
            try await subject.send { BackendRequest(.get, $0 + "/endless") }
        }
    }

    @Test(
        "A server that does not answer, or stops in the middle of its answer, ends in time",
        arguments: ["/silence", "/stalled"], Subject.allCases)
    func timeout(path: String, subject: Subject) async {
        await #expect(throws: BackendTransportError.timedOut) {
            try await subject.send { BackendRequest(.get, $0 + path, timeout: .milliseconds(500)) }
        }
    }

    @Test("D-M1: an exchange ends as cancelled when its caller cancels it", arguments: Subject.allCases)
    func cancellation(subject: Subject) async throws {
        try await subject.withServer { base, exchange in
            let task = Task { () throws(BackendTransportError) in
                try await exchange(BackendRequest(.get, base + "/silence"))
            }
            task.cancel()
            let result = await task.result
            #expect(throws: BackendTransportError.cancelled) { try result.get() }
        }
    }

    @Test("D-M2: every cookie of a response arrives, in order and as it was set", arguments: Subject.allCases)
    func cookies(subject: Subject) async throws {
        let response = try await subject.send { BackendRequest(.get, $0 + "/cookies") }
        #expect(response.headers.values(of: "set-cookie") == LoopbackServer.cookies)
    }

    @Test(
        "N-L1: a closed port and a name without an address are told apart", arguments: Subject.allCases,
        [
            ("https://127.0.0.1:1/", BackendTransportError.closedPort), ("https://localhost:1/", .closedPort),
            ("https://server.invalid/", .unknownHost),
        ])
    func absent(subject: Subject, absent: (url: String, error: BackendTransportError)) async throws {
        await #expect(throws: absent.error) {
            try await subject.transport.response(to: BackendRequest(.get, absent.url))
        }
    }

    @Test(
        "Addresses that are not https are refused before anything is sent",
        arguments: [
            "http://localhost/", "HTTP://localhost/", "ftp://localhost/", "ws://localhost/",
        ], Subject.allCases)
    func insecure(url: String, subject: Subject) async {
        await #expect(throws: BackendTransportError.insecureAddress) {
            try await subject.transport.response(to: BackendRequest(.get, url))
        }
    }

    @Test(
        "Addresses that are no plain host and port are refused",
        arguments: [
            "", "https://", "https:///x", "localhost", "https:localhost", "https://user@host/",
            "https://good.example\\@evil/",
            "https://host:0/", "https://host:65536/", "https://host:/", "https://host:1:2/", "https://ho st/",
            "https://h\u{0}st/", "https://höst/", "https://%6cocalhost/", "https://[::1", "https://[::1]x/",
            "https://]/",
        ], Subject.allCases)
    func unusable(url: String, subject: Subject) async {
        await #expect(throws: BackendTransportError.unusableAddress) {
            try await subject.transport.response(to: BackendRequest(.get, url))
        }
    }

    @Test(
        "A header field that could be read as two is refused",
        arguments: [
            HeaderFields.Field("X", "a\r\nY: b"), .init("X", "a\nb"), .init("X", "a\u{0}"), .init("X Y", "a"),
            .init("", "a"),
            .init("X:", "a"),
        ], Subject.allCases)
    func headers(field: HeaderFields.Field, subject: Subject) async {
        await #expect(throws: BackendTransportError.unusableHeaderField) {
            try await subject.transport.response(
                to: BackendRequest(.get, "https://localhost/", headers: [field]))
        }
    }

    @Test("Header fields are found whatever the case of their names, in order")
    func fields() {
        var fields: HeaderFields = [.init("Set-Cookie", "a=1"), .init("ETag", "x")]
        fields.append("set-cookie", "b=2")
        #expect(fields.values(of: "SET-COOKIE") == ["a=1", "b=2"])
        #expect(fields.first("etag") == "x" && fields.first("none") == nil)
    }
}

import Foundation
import NIOCore
import NIOSSL
import Octets
import OpenID
import OutgoingRequests
import ServerCore
import Synchronization
import TestSupport
import Testing

@Suite("Outgoing requests: nothing inside can be reached, and no receiver holds the server up")
struct GuardedClientTests {
    private let authority: TestAuthority
    private let folder: TestSupport.TemporaryFolder
    private let tls: TLSConfiguration

    init() throws {
        authority = try TestAuthority()
        folder = try TestSupport.TemporaryFolder()
        try Data(try authority.pem()).write(to: URL(filePath: folder.path + "/ca.pem"))
        tls = try authority.identity().tlsConfiguration()
    }

    /// Client to which `localhost` and every other name is an address of this machine, which it may call.
    private func client(
        _ answers: [[String]] = [["127.0.0.1"]], allows: Bool = true, timeout: Duration = .seconds(60)
    ) throws -> GuardedClient {
        var rules = OutgoingRules()
        if allows { rules.allowedNetworks = [try #require(IPNetwork("127.0.0.0/8"))] }
        rules.authorityFiles = [folder.path + "/ca.pem"]
        rules.timeout = timeout
        return try GuardedClient(rules, resolver: ScriptedResolver(answers))
    }

    /// Failure of a request to a path of the loopback server; nil for an answer.
    private func failure(
        _ client: GuardedClient, _ path: String, host: String = "localhost", observer: LoopbackServer.Observer = .init()
    ) async throws -> OutgoingFailure? {
        let result = Mutex<OutgoingFailure?>(nil)
        try await LoopbackServer.run(tls, observer: observer) { port in
            let address = try #require(OutgoingAddress("https://\(host):\(port)\(path)"))
            do throws(OutgoingFailure) {
                _ = try await client.fetch(address, accepting: "text/plain")
            } catch {
                result.withLock { $0 = error }
            }
        }
        return result.withLock { $0 }
    }

    @Test("A request to a server of the rules is answered, with body and header fields as given")
    func post() async throws {
        let observer = LoopbackServer.Observer()
        let client = try client()
        let status = Mutex(0)
        try await LoopbackServer.run(tls, observer: observer) { port in
            let request = OutgoingRequest(
                address: try #require(OutgoingAddress("https://localhost:\(port)/echo")),
                fields: [("webhook-id", Sensitive("1"))], body: Array("{}".utf8))
            let answer = try await client.send(request)
            status.withLock { $0 = answer }
        }
        #expect(status.withLock { $0 } == 201)
        #expect(observer.seen.first?.contains("webhook-id") == true)
    }

    @Test(
        "An address that may not be called gets no connection", arguments: ["127.0.0.1", "::1", "10.0.0.1", "0.0.0.0"])
    func forbidden(_ address: String) async throws {
        let observer = LoopbackServer.Observer()
        let client = try client([[address]], allows: false)
        #expect(try await failure(client, "/hello", observer: observer) == .forbiddenAddress)
        #expect(observer.seen.isEmpty)
    }

    @Test(
        "A numeric host is judged as well, however the address is written", arguments: ["127.0.0.1", "[::ffff:7f00:1]"])
    func literal(_ host: String) async throws {
        #expect(try await failure(try client(allows: false), "/hello", host: host) == .forbiddenAddress)
    }

    @Test("A name with a public and a private address gets no connection")
    func mixture() async throws {
        let client = try client([["1.1.1.1", "127.0.0.1"]], allows: false)
        #expect(try await failure(client, "/hello") == .forbiddenAddress)
    }

    @Test("A name server that answers otherwise the second time is asked once for a request")
    func rebinding() async throws {
        let resolver = ScriptedResolver([["127.0.0.1"], ["10.0.0.1"]])
        var rules = OutgoingRules()
        rules.allowedNetworks = [try #require(IPNetwork("127.0.0.0/8"))]
        rules.authorityFiles = [folder.path + "/ca.pem"]
        let client = try GuardedClient(rules, resolver: resolver)
        #expect(try await failure(client, "/hello") == nil)
        #expect(resolver.questions == 1)
        #expect(try await failure(client, "/hello") == .forbiddenAddress, "the second request is judged by itself")
    }

    @Test("A redirect is not followed", arguments: ["/redirect", "/downgrade"])
    func redirect(_ path: String) async throws {
        let observer = LoopbackServer.Observer()
        #expect(try await failure(try client(), path, observer: observer) == .redirected)
        #expect(observer.seen.count == 1)
    }

    @Test("A certificate of another name, or of an authority that is not trusted, ends the connection")
    func otherName() async throws {
        #expect(try await failure(try client(), "/hello", host: "other.example") == .tlsRefused)
        var rules = OutgoingRules()
        rules.allowedNetworks = [try #require(IPNetwork("127.0.0.0/8"))]
        let stranger = try GuardedClient(rules, resolver: ScriptedResolver([["127.0.0.1"]]))
        #expect(try await failure(stranger, "/hello") == .tlsRefused)
    }

    @Test("A body without end, or longer than is read, ends the request", arguments: ["/endless", "/bytes/65537"])
    func tooLong(_ path: String) async throws {
        #expect(try await failure(try client(), path) == .tooLong)
    }

    @Test("The longest body is read")
    func longest() async throws {
        #expect(try await failure(try client(), "/bytes/65536") == nil)
    }

    @Test(
        "A server that says nothing, or stops in the middle, is given up in time", arguments: ["/silence", "/stalled"])
    func silence(_ path: String) async throws {
        #expect(try await failure(try client(timeout: .seconds(1)), path) == .timedOut)
    }

    @Test("One octet a second does not hold a request longer than its time")
    func drip() async throws {
        let client = try client(timeout: .seconds(2))
        let server = try await HostileServer.open(
            tls, .drip("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n", every: .seconds(1)))
        #expect(await failure(client, at: server.port) == .timedOut)
        try await server.close()
    }

    @Test("Header fields without end are cut off, and a header field without end", arguments: ["\r\n", ""])
    func longHead(end: String) async throws {
        let piece = "X-Field: \(String(repeating: "a", count: 8_000))\(end)"
        let server = try await HostileServer.open(tls, .flood(head: "HTTP/1.1 200 OK\r\nX-First: ", piece: piece))
        let found = await failure(try client(), at: server.port)
        #expect([.tooLong, .unreachable].contains(found))
        try await server.close()
    }

    @Test("A port without a listener is unreachable, and a name without an address unresolvable")
    func absent() async throws {
        let (reaching, nameless) = (try client(), try client([[]]))
        #expect(await failure(reaching, at: 1) == .unreachable)
        #expect(await failure(nameless, at: 1) == .unresolvable)
    }

    @Test("Files of authorities that cannot be used are named")
    func authorityFile() throws {
        var rules = OutgoingRules()
        rules.authorityFiles = ["/nowhere/ca.pem"]
        #expect(throws: OutgoingRequestsError.unusableAuthority(file: "/nowhere/ca.pem")) { try GuardedClient(rules) }
    }

    @Test(
        "The head of an answer takes a message, however body and connection end",
        arguments: [
            "HTTP/1.1 200 OK\r\n\r\n", "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nthanks", "HTTP/1.0 200 OK\r\n\r\n",
            "HTTP/1.0 200 OK\r\n\r\nthanks", "HTTP/1.1 204 No Content\r\n\r\n",
            "HTTP/1.1 202 Accepted\r\nContent-Length: 0\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nthanks",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n6\r\nthanks\r\n0\r\n\r\n",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n9\r\ntha",
            "HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 200 OK\r\n\r\n",
        ], HostileServer.End.allCases)
    func headDecides(_ answer: String, _ end: HostileServer.End) async throws {
        let server = try await HostileServer.open(tls, .say(answer, then: end))
        let status = try await client().send(try post(to: server.port))
        #expect((200...204).contains(status))
        try await server.close()
    }

    @Test("A refusal is one by its head, and an answer without a head is none")
    func refusals() async throws {
        let refusing = try await HostileServer.open(tls, .say("HTTP/1.1 503 Busy\r\n\r\n", then: .cut))
        #expect(try await client().send(try post(to: refusing.port)) == 503)
        try await refusing.close()
        let moved = try await HostileServer.open(tls, .say("HTTP/1.1 302 Found\r\nLocation: /\r\n\r\n", then: .open))
        await #expect(throws: OutgoingFailure.redirected) { try await client().send(try post(to: moved.port)) }
        try await moved.close()
        for end in [HostileServer.End.close, .cut] {
            let rude = try await HostileServer.open(tls, .say("HTTP/1.1 200 OK\r\n", then: end))
            await #expect(throws: OutgoingFailure.unreachable) { try await client().send(try post(to: rude.port)) }
            try await rude.close()
        }
    }

    @Test("A message is taken by the head of an answer whose body has no end")
    func endlessBody() async throws {
        let server = try await HostileServer.open(
            tls, .flood(head: "HTTP/1.1 200 OK\r\n\r\n", piece: String(repeating: "a", count: 8_000)))
        #expect(try await client().send(try post(to: server.port)) == 200)
        try await server.close()
    }

    @Test("A document without length ends with the farewell of TLS, and is none without it")
    func documentWithoutLength() async throws {
        let whole = try await HostileServer.open(tls, .say("HTTP/1.0 200 OK\r\n\r\n{}", then: .close))
        let address = try #require(OutgoingAddress("https://localhost:\(whole.port)/"))
        #expect(try await client().fetch(address, accepting: "application/json") == Array("{}".utf8))
        try await whole.close()
        let cut = try await HostileServer.open(tls, .say("HTTP/1.0 200 OK\r\n\r\n{}", then: .cut))
        #expect(await failure(try client(), at: cut.port) == .unreachable)
        try await cut.close()
    }

    private func post(to port: Int) throws -> OutgoingRequest {
        OutgoingRequest(
            address: try #require(OutgoingAddress("https://localhost:\(port)/hook")), fields: [], body: Array("{}".utf8)
        )
    }

    private func failure(_ client: GuardedClient, at port: Int) async -> OutgoingFailure? {
        guard let address = OutgoingAddress("https://localhost:\(port)/") else { return nil }
        do throws(OutgoingFailure) {
            _ = try await client.fetch(address, accepting: "text/plain")
            return nil
        } catch {
            return error
        }
    }
}

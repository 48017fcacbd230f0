import NIOCore
import NIOPosix
import Octets
import Synchronization
import Testing

@testable import PhonePage

@Suite("The socket of the phone page is bounded, and outlives misuse", .timeLimit(.minutes(2)))
struct PhonePageServerTests {
    /// End of a page that a test has done with.
    private struct Done: Error {}

    /// Host of the pages of these tests.
    private static let host = PhonePageHost.fresh

    /// Runs `body` with the port of a served page and its secrets.
    private func served(
        at port: Int = 0, phone: any PhonePageService = SilentPhone(),
        _ body: @Sendable (Int, PhonePageSecrets) async throws -> Void
    ) async throws {
        let (host, secrets) = (Self.host, PhonePageSecrets())
        await #expect(throws: Done.self) {
            try await PhonePageServer.serve(host: host, port: port) { port in
                PhonePageRoutes(guards: PhonePageGuard(host: host, port: port, secrets: secrets), phone: phone)
            } ready: { port in
                try await body(port, secrets)
                throw Done()
            }
        }
    }

    /// Sends octets to a port and returns what comes back until the connection is closed.
    private static func exchange(
        _ text: String, at port: Int, of host: String = host.address
    ) async throws -> String {
        let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton).connectTimeout(
            .minutes(5)
        )
        .connect(host: host, port: port) { channel in
            channel.eventLoop.makeCompletedFuture {
                try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
            }
        }
        return try await channel.executeThenClose { inbound, outbound in
            try await outbound.write(ByteBuffer(string: text))
            var answer = ""
            do {
                for try await chunk in inbound { answer += String(buffer: chunk) }
            } catch {
                // The server may reset a connection whose request it does not read to the end.
            }
            return answer
        }
    }

    private static func get(_ path: String, _ port: Int, _ fields: String = "") -> String {
        "GET \(path) HTTP/1.1\r\nHost: \(host.address):\(port)\r\n\(fields)\r\n"
    }

    @Test("The page is served to the secret of its address, and the connection ends with the answer")
    func page() async throws {
        try await served { port, secrets in
            let answer = try await Self.exchange(Self.get("/begin/\(secrets.entry.reveal())", port), at: port)
            #expect(answer.hasPrefix("HTTP/1.1 200"))
            #expect(answer.contains("Set-Cookie: signet-phone="))
        }
    }

    @Test("A page that has answered can be served again on its port at once")
    func restart() async throws {
        let first = Mutex(0)
        try await served { port, _ in
            first.withLock { $0 = port }
            let answer = try await Self.exchange(Self.get("/", port), at: port)
            #expect(answer.contains(" 403 "))
        }
        // The server has closed the connection first, so that the system remembers it on this side.
        try await served(at: first.withLock { $0 }) { port, _ in
            #expect(port == first.withLock { $0 })
            let answer = try await Self.exchange(Self.get("/", port), at: port)
            #expect(answer.contains(" 403 "))
        }
    }

    @Test("Another account that reaches the socket gets 403 and nothing of the phone")
    func stranger() async throws {
        try await served { port, secrets in
            for path in ["/", "/state", "/page.js", "/begin/AAAA", "/../state", "//state", "/state?x"] {
                let answer = try await Self.exchange(Self.get(path, port), at: port)
                #expect(answer.hasPrefix("HTTP/1.1 403"))
                #expect(!answer.contains("revision"))
            }
        }
    }

    /// Fields of the browser that was let in.
    private static func own(_ port: Int, _ secrets: PhonePageSecrets) -> String {
        "Cookie: signet-phone=\(secrets.holder.reveal())\r\nSignet-Page: \(secrets.page.reveal())\r\n"
    }

    @Test("A name that resolves to loopback gets nothing, even with cookie and token, and does not use up the entry")
    func rebinding() async throws {
        try await served { port, secrets in
            let entry = "/begin/\(secrets.entry.reveal())"
            let twice = "\(Self.host.address):\(port)\r\nHost: evil"
            for host in ["evil.example", "evil.example:\(port)", "localhost:\(port)", "127.0.0.1:\(port)", twice] {
                for path in [entry, "/state", "/"] {
                    let request = "GET \(path) HTTP/1.1\r\nHost: \(host)\r\n\(Self.own(port, secrets))\r\n"
                    let answer = try await Self.exchange(request, at: port)
                    #expect(!answer.hasPrefix("HTTP/1.1 2"), "\(host) \(path)")
                    #expect(!answer.contains("revision") && !answer.contains("Set-Cookie"))
                    #expect(!answer.contains(secrets.page.reveal()))
                }
            }
            #expect(try await Self.exchange(Self.get(entry, port), at: port).hasPrefix("HTTP/1.1 200"))
            let again = try await Self.exchange(Self.get(entry, port), at: port)
            #expect(again.hasPrefix("HTTP/1.1 403") && !again.contains("Set-Cookie"), "it lets in once")
        }
    }

    @Test(
        "A request of another site gets nothing, even with cookie and token, and no permission of CORS",
        arguments: [
            "Origin: https://evil.example", "Origin: null", "Sec-Fetch-Site: cross-site", "Sec-Fetch-Site: same-site",
            "Origin: http://127.0.0.1:1",
        ])
    func foreignSite(field: String) async throws {
        try await served { port, secrets in
            let own = Self.own(port, secrets)
            #expect(try await Self.exchange(Self.get("/state", port, own), at: port).contains("revision"))
            let foreign = try await Self.exchange(Self.get("/state", port, "\(own)\(field)\r\n"), at: port)
            #expect(foreign.hasPrefix("HTTP/1.1 403") && !foreign.contains("revision"))
            #expect(!foreign.lowercased().contains("access-control-allow"))
            let body = #"{"do":"lose"}"#
            let post = """
                POST /action HTTP/1.1\r\nHost: \(Self.host.address):\(port)\r\n\(own)Content-Type: application/json\r
                Content-Length: \(body.utf8.count)\r\n\(field)\r\n\r\n\(body)
                """
            #expect(try await Self.exchange(post, at: port).hasPrefix("HTTP/1.1 403"))
        }
    }

    @Test("Without the entry secret neither cookie nor token of a guess opens the phone")
    func guesses() async throws {
        try await served { port, secrets in
            let guess = String(repeating: "A", count: 43)
            let cookie = "Cookie: signet-phone=\(secrets.holder.reveal())\r\n"
            for fields in [
                "Cookie: signet-phone=\(guess)\r\nSignet-Page: \(guess)\r\n", cookie,
                "\(cookie)Signet-Page: \(guess)\r\n", "Signet-Page: \(secrets.page.reveal())\r\n",
            ] {
                let answer = try await Self.exchange(Self.get("/state", port, fields), at: port)
                #expect(answer.hasPrefix("HTTP/1.1 403") && !answer.contains("revision"))
            }
            #expect(try await Self.exchange(Self.get("/begin/\(guess)", port), at: port).hasPrefix("HTTP/1.1 403"))
        }
    }

    @Test("A head of more than 16 KiB is refused unread, and one below is answered")
    func headLimit() async throws {
        try await served { port, _ in
            let long = "X-Long: \(String(repeating: "a", count: 17_000))\r\n"
            let cut = try await Self.exchange(Self.get("/", port, long), at: port)
            #expect(cut.hasPrefix("HTTP/1.1 400"))
            let short = "X-Long: \(String(repeating: "a", count: 15_000))\r\n"
            let answered = try await Self.exchange(Self.get("/", port, short), at: port)
            #expect(answered.hasPrefix("HTTP/1.1 403"))
        }
    }

    @Test(
        "A body of more than 1 MiB is refused, and the rest of it does not hold the connection",
        arguments: [(1 << 20) + 1, 1 << 30])
    func bodyLimit(length: Int) async throws {
        try await served { port, secrets in
            let fields = "\(Self.own(port, secrets))Content-Type: image/png\r\nContent-Length: \(length)\r\n"
            let head = "POST /scan HTTP/1.1\r\nHost: \(Self.host.address):\(port)\r\n\(fields)\r\n"
            let answer = try await Self.exchange(head + String(repeating: "a", count: (1 << 20) + 1), at: port)
            #expect(answer.hasPrefix("HTTP/1.1 413"))
        }
    }

    @Test(
        "A request that is not sent to its end, and a connection without one, are closed",
        arguments: ["", "GET / HT", "GET / HTTP/1.1\r\nContent-Length: 5\r\n\r\nab"])
    func unfinished(text: String) async throws {
        try await served { port, _ in
            let answer = try await Self.exchange(text, at: port)
            #expect(answer.isEmpty)
        }
    }

    @Test("64 connections at a time are answered, and one more waits until one has ended")
    func connectionLimit() async throws {
        let limit = PhonePageServer.connectionLimit
        #expect(limit == 64)
        let phone = HoldingPhone(places: limit)
        try await served(phone: phone) { port, secrets in
            let request = Self.get("/state", port, Self.own(port, secrets))
            await withTaskGroup(of: String?.self) { group in
                for _ in 0..<limit { group.addTask { try? await Self.exchange(request, at: port) } }
                #expect(await phone.isFull(within: .seconds(300)))
                group.addTask { try? await Self.exchange(request, at: port) }
                // Time in which a connection beyond the limit would reach the phone.
                try? await Task.sleep(for: .milliseconds(300))
                #expect(await phone.askedCount == limit)
                await phone.release()
                var answered = 0
                for await answer in group where answer?.contains("revision") == true { answered += 1 }
                #expect(answered == limit + 1)
            }
        }
    }

    @Test(
        "What is no HTTP is refused, and the page goes on",
        arguments: ["\u{16}\u{3}\u{1}\r\n\r\n", "GET\r\n\r\n", "PRI * HTTP/2.0\r\n\r\n"])
    func noise(text: String) async throws {
        try await served { port, _ in
            let answer = try await Self.exchange(text, at: port)
            #expect(!answer.hasPrefix("HTTP/1.1 2"))
            #expect(try await Self.exchange(Self.get("/", port), at: port).hasPrefix("HTTP/1.1 403"))
        }
    }

    @Test("A port that is taken is named")
    func takenPort() async throws {
        try await served { port, _ in
            await #expect(throws: PhonePageFailure.portTaken(port)) {
                try await PhonePage.serve(phone: SilentPhone(), host: Self.host, port: port) { _ in }
            }
        }
    }

    @Test("Starts at one port never share an origin, nor does one listen at the address of another")
    func freshOrigins() async throws {
        let addresses = Mutex<[PhonePageAddress]>([])
        for _ in 0..<3 {
            await #expect(throws: Done.self) {
                try await PhonePage.serve(phone: SilentPhone(), port: addresses.withLock { $0.first?.port ?? 0 }) {
                    address in
                    let before = addresses.withLock(\.self)
                    addresses.withLock { $0.append(address) }
                    #expect(await Self.isAnswered(address))
                    #if os(Linux)
                        for other in before { #expect(await !Self.isAnswered(other)) }
                    #endif
                    throw Done()
                }
            }
        }
        let served = addresses.withLock(\.self)
        #expect(Set(served.map(\.port)).count == 1)
        #expect(Set(served.map(\.origin)).count == 3)
        #expect(served.allSatisfy { $0.revealEntry().hasPrefix("\($0.origin)/begin/") })
    }

    private static func isAnswered(_ address: PhonePageAddress) async -> Bool {
        let request = "GET / HTTP/1.1\r\nHost: \(address.host.address):\(address.port)\r\n\r\n"
        let answer = try? await exchange(request, at: address.port, of: address.host.address)
        return answer?.contains(" 403 ") ?? false
    }

    @Test("Hosts are drawn from all of 127/8 but for its ends, and 10,000 of them hardly repeat")
    func freshHosts() throws {
        let names = (0..<10_000).map { _ in PhonePageHost.fresh.address }
        #expect(Set(names).count > 9_980)
        let octets = try names.map { try $0.split(separator: ".").map { try #require(UInt8($0)) } }
        #expect(octets.allSatisfy { $0.count == 4 && $0[0] == 127 && $0[1] > 0 && (1...254).contains($0[3]) })
        for place in 1...3 { #expect(Set(octets.map { $0[place] }).count >= 254) }
    }

    @Test(
        "A host that was drawn before is taken, and no other address or name",
        arguments: [
            ("127.1.2.3", true), ("127.0.0.1", true), ("0123abcd.localhost", false), ("0.0.0.0", false),
            ("10.0.0.1", false),
            ("127.1", false), ("127.01.2.3", false), ("::1", false), ("::ffff:127.0.0.1", false), ("localhost", false),
            ("127.0.0.1.evil.example", false), ("", false),
        ])
    func chosenHost(name: String, isTaken: Bool) { #expect((PhonePageHost(name) != nil) == isTaken) }
}

/// Phone that is asked nothing.
private struct SilentPhone: PhonePageService {
    func state(unlike known: UInt64?) async -> PhonePageState {
        PhonePageState(revision: 1, body: Array(#"{"revision":1}"#.utf8))
    }

    func perform(_ action: PhonePageAction, answering question: UInt64?) async throws(PhonePageRefusal) {}

    func provide(_ secret: consuming SecretOctets, answering question: UInt64) async throws(PhonePageRefusal) {}
}

/// Phone that holds so many questions for its state until it is told to answer; further ones are answered at once.
private actor HoldingPhone: PhonePageService {
    private let places: Int
    private var held: [CheckedContinuation<Void, Never>] = []
    private var isReleased = false
    /// Questions for the state until now.
    private(set) var askedCount = 0

    init(places: Int) { self.places = places }

    func state(unlike known: UInt64?) async -> PhonePageState {
        askedCount += 1
        if !isReleased, held.count < places { await withCheckedContinuation { held.append($0) } }
        return PhonePageState(revision: 1, body: Array(#"{"revision":1}"#.utf8))
    }

    /// Whether all places are taken, at the latest after a time.
    func isFull(within time: Duration) async -> Bool {
        let end = ContinuousClock.now + time
        while held.count < places, ContinuousClock.now < end { try? await Task.sleep(for: .milliseconds(10)) }
        return held.count >= places
    }

    func release() {
        isReleased = true
        for question in held { question.resume() }
        held = []
    }

    func perform(_ action: PhonePageAction, answering question: UInt64?) async throws(PhonePageRefusal) {}

    func provide(_ secret: consuming SecretOctets, answering question: UInt64) async throws(PhonePageRefusal) {}
}

import NIOCore
import Octets
import ServerCore
import TestSupport
import Testing
import UAFService

@testable import ServerHTTP

@Suite("Clients: behind a proxy", .timeLimit(.minutes(10)))
struct ProxyTests {
    private static let signature: [UInt8] = [0x0D, 0x0A, 0x0D, 0x0A, 0, 0x0D, 0x0A, 0x51, 0x55, 0x49, 0x54, 0x0A]

    private static func header(_ source: [UInt8], kind: UInt8 = 0x21, family: UInt8? = nil, more: Int = 0) -> [UInt8] {
        var body = source + [UInt8](repeating: 1, count: source.count)
        body += [0x12, 0x34, 1, 187]
        body += [UInt8](repeating: 4, count: more)
        var header = signature
        header.append(kind)
        header.append(family ?? (source.count == 4 ? 0x11 : 0x21))
        header.append(UInt8(body.count >> 8))
        header.append(UInt8(truncatingIfNeeded: body.count))
        return header + body
    }

    private static func trusting(_ network: String, _ preamble: ProxySettings.Preamble = .none) throws -> ProxySettings
    {
        var proxies = ProxySettings()
        proxies.trusted = [try #require(IPNetwork(network))]
        proxies.preamble = preamble
        return proxies
    }

    /// One request of each client is allowed.
    private static var strict: RequestLimits {
        var limits = RequestLimits.unhurried
        limits.perAddress = RateLimit(perSecond: 1, burst: 1)
        limits.idleTime = .seconds(600)
        return limits
    }

    private static func request(_ field: String = "") -> String {
        "GET /nevisfido/uaf/1.1/facets HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\(field)\r\n"
    }

    /// The status of each request, each on a connection of its own.
    private static func statuses(_ port: Int, _ requests: [[UInt8]]) async throws -> [String] {
        var statuses: [String] = []
        for request in requests {
            let client = try await RawConnection.open(port: port)
            await client.send(request)
            statuses.append(String(await client.untilClosed().dropFirst("HTTP/1.1 ".count).prefix(3)))
        }
        return statuses
    }

    @Test("S-H4: clients behind a trusted proxy are counted one by one")
    func trusted() async throws {
        let service = try await ServerFixture.open(
            limits: Self.strict, proxies: try Self.trusting("127.0.0.0/8"))
        let fields = [
            "X-Forwarded-For: 192.0.2.1\r\n", "Forwarded: for=192.0.2.2\r\n", "X-Forwarded-For: 9.9.9.9, 192.0.2.1\r\n",
            "X-Forwarded-For: 2001:db8::1\r\n", "X-Forwarded-For: 2001:db8::2:0:0:2\r\n",
        ]
        let statuses = try await service.live { port in
            try await Self.statuses(port, fields.map { Array(Self.request($0).utf8) })
        }
        #expect(statuses == ["200", "200", "429", "200", "429"])
    }

    @Test("S-H4, SRV-18: forwarding fields of a peer that is no trusted proxy are ignored")
    func spoofed() async throws {
        let service = try await ServerFixture.open(
            limits: Self.strict, proxies: try Self.trusting("192.0.2.0/24"))
        let fields = ["X-Forwarded-For: 198.51.100.1\r\n", "Forwarded: for=198.51.100.2\r\n", ""]
        let statuses = try await service.live { port in
            try await Self.statuses(port, fields.map { Array(Self.request($0).utf8) })
        }
        #expect(statuses == ["200", "429", "429"])
    }

    @Test(
        "S-H4: the audit names the client behind a trusted proxy, and the peer itself when it is none",
        arguments: [("127.0.0.0/8", "192.0.2.7"), ("192.0.2.0/24", "127.0.0.1")])
    func audited(network: String, client: String) async throws {
        let service = try await ServerFixture.open(proxies: try Self.trusting(network))
        let form = "isiwebuserid=anna&isiwebpasswd=wrong"
        let request =
            "POST /auth/pwd HTTP/1.1\r\nHost: a\r\nConnection: close\r\nX-Forwarded-For: 9.9.9.9, 192.0.2.7\r\n"
            + "Content-Type: application/x-www-form-urlencoded\r\nAccept: application/json\r\n"
            + "Content-Length: \(form.utf8.count)\r\n\r\n\(form)"
        let statuses = try await service.live { port in try await Self.statuses(port, [Array(request.utf8)]) }
        #expect(statuses == ["401"])
        service.clock.advance(by: RefusalCounter.window)
        await service.services.maintain()
        let records = try await service.services.audit.records(of: "test")
        let counted = records.map { String(decoding: $0.event, as: UTF8.self) }.filter {
            $0.contains("REFUSALS_COUNTED")
        }
        #expect(counted.count == 1 && counted.allSatisfy { $0.contains(", \(client) 1") }, "\(counted)")
    }

    @Test("S-H4: the header of the PROXY protocol names the client, and its extensions are skipped")
    func preamble() async throws {
        let service = try await ServerFixture.open(
            limits: Self.strict, proxies: try Self.trusting("127.0.0.0/8", .v2))
        let request = Array(Self.request().utf8)
        let network: [UInt8] = [0x20, 1, 0xD, 0xB8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]
        let headers: [[UInt8]] = [
            Self.header([192, 0, 2, 1]), Self.header([192, 0, 2, 2], more: 200), Self.header([192, 0, 2, 1]),
            Self.header(network + [1]), Self.header(network + [2]), Self.header([], kind: 0x20, family: 0),
        ]
        let statuses = try await service.live { port in
            try await Self.statuses(port, headers.map { $0 + request })
        }
        #expect(statuses == ["200", "200", "429", "200", "429", "200"])
    }

    @Test("S-H4: a header that comes octet by octet is read")
    func slowPreamble() async throws {
        let service = try await ServerFixture.open(proxies: try Self.trusting("127.0.0.0/8", .v2))
        try await service.live { port in
            let client = try await RawConnection.open(port: port)
            for octet in Self.header([192, 0, 2, 1]) { await client.send([octet]) }
            await client.send(Self.request())
            #expect(await client.untilClosed().hasPrefix("HTTP/1.1 200 "))
        }
    }

    private static let malformedHeaders: [[UInt8]] = [
        [], header([192, 0, 2, 1], kind: 0x22), header([192, 0, 2, 1], kind: 0x11),
        header([192, 0, 2, 1], family: 0x31), header([192, 0, 2, 1], family: 0x21), header([192], family: 0x11),
        Array("PROXY TCP4 192.0.2.1 192.0.2.2 1 2\r\n".utf8), signature.dropLast() + [0],
        header([192, 0, 2, 1], more: 3_000),
    ]

    @Test(
        "S-H4: a trusted proxy that sends no proper header gets nothing but the end of its connection",
        arguments: ProxyTests.malformedHeaders)
    func malformedPreamble(header: [UInt8]) async throws {
        var limits = RequestLimits.unhurried
        limits.idleTime = .seconds(600)
        let service = try await ServerFixture.open(limits: limits, proxies: try Self.trusting("127.0.0.0/8", .v2))
        try await service.live { port in
            let client = try await RawConnection.open(port: port)
            await client.send(header + Array(Self.request().utf8))
            #expect(await client.untilClosed().isEmpty)
        }
    }

    @Test("S-H4, SRV-18: a header of the PROXY protocol from any other sender is no request, and names none")
    func spoofedPreamble() async throws {
        let service = try await ServerFixture.open(
            limits: Self.strict, proxies: try Self.trusting("192.0.2.0/24", .v2))
        let requests = [Self.header([198, 51, 100, 1]) + Array(Self.request().utf8), Array(Self.request().utf8)]
        let statuses = try await service.live { port in try await Self.statuses(port, requests) }
        #expect(statuses == ["400", "200"])
    }

    @Test("S-H3: connections behind a proxy count for the client that the header names, not for the proxy")
    func connections() async throws {
        var limits = RequestLimits.unhurried
        limits.idleTime = .seconds(600)
        limits.connectionCountPerAddress = 1
        let service = try await ServerFixture.open(limits: limits, proxies: try Self.trusting("127.0.0.0/8", .v2))
        try await service.live { port in
            let first = try await RawConnection.open(port: port)
            await first.send(Self.header([192, 0, 2, 1]) + Array("GET /nope HTTP/1.1\r\nHost: a\r\n\r\n".utf8))
            #expect(await first.until("notFound").hasPrefix("HTTP/1.1 404 "))
            let clients: [[UInt8]] = [[192, 0, 2, 1], [192, 0, 2, 2]]
            let requests = clients.map { Self.header($0) + Array(Self.request().utf8) }
            #expect(try await Self.statuses(port, requests) == ["", "200"])
            await first.close()
        }
    }
}

import Foundation
import HTTPEngine
import Logging
import OpenID
import ServerCore
import StrictJSON
import TestSupport
import Testing

@testable import OutgoingRequests

@Suite("The audit in a real rsyslog over TLS (RFC 5424, RFC 5425)", .serialized, .timeLimit(.minutes(5)))
struct SyslogExporterTests {
    private let authority: LoopbackAuthority
    private let rsyslog: Rsyslog
    private let server: TestServer
    private let follower: AuditFollower
    private let log = RecordedLog()

    init() async throws {
        authority = try LoopbackAuthority.make(now: Date())
        rsyslog = try Rsyslog(trusting: authority)
        server = try await TestServer(authenticators: [try SyntheticAuthenticator()], logger: log.logger)
        let settings = SyslogSettings(host: "127.0.0.1", port: rsyslog.port, authorityFile: rsyslog.authorityFile)
        let exporter = try SyslogExporter(settings, host: "login.example.com", logger: log.logger) {
            String(decoding: $0.event, as: UTF8.self)
        }
        follower = AuditFollower([exporter], of: server.services, transactions: server.openID)
        try await follower.begin()
    }

    private func append(_ count: Int, reason: String = "r") async throws {
        for _ in 0..<count {
            var event = AuditEvent(.userAdded, at: server.clock.now())
            event.reason = reason
            try await server.storage.audit.append(event)
        }
    }

    /// The numbers of the records that came, each at its first time, once the last one is there.
    private func numbers(through last: Int) async throws -> [Int] {
        let end = ContinuousClock.now + .seconds(20)
        while ContinuousClock.now < end {
            var seen: [Int] = []
            for line in rsyslog.lines {
                let match = try #require(line.firstMatch(of: #/sequence="([0-9]+)"\] /#), "\(line)")
                let number = try #require(Int(match.1))
                if !seen.contains(number) { seen.append(number) }
            }
            if seen.contains(last) { return seen }
            try await Task.sleep(for: .milliseconds(20))
        }
        return []
    }

    @Test("Every record arrives in order, at least once, also when the server is away or restarts meanwhile")
    func everyRecord() async throws {
        try await rsyslog.start(by: authority)
        try await append(3)
        await follower.round()
        #expect(try await numbers(through: 3) == [1, 2, 3])
        await rsyslog.stop()
        try await append(2)
        await follower.round()
        await follower.round()
        #expect(log.lines.count { $0.contains("does not take the audit") && $0.contains("unreachable") } == 1)
        try await rsyslog.start(by: authority)
        await follower.round()
        #expect(try await numbers(through: 5) == Array(1...5))
        #expect(log.lines.contains { $0.contains("takes the audit again") })

        let count = SlowTests.size("SIGNET_SYSLOG_RECORDS", sample: 100, whole: 4_000)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await append(count) }
            group.addTask {
                for _ in 0..<3 {
                    try await Task.sleep(for: .milliseconds(100))
                    await rsyslog.stop()
                    try await rsyslog.start(by: authority)
                }
            }
            for _ in 0..<40 {
                await follower.round()
                try await Task.sleep(for: .milliseconds(20))
            }
            try await group.waitForAll()
        }
        await follower.round()
        #expect(try await numbers(through: 5 + count) == Array(1...(5 + count)))
    }

    @Test("A message has the parts of RFC 5424, and line breaks in foreign text begin no other one")
    func form() async throws {
        try await rsyslog.start(by: authority)
        try await append(1, reason: "a\r\n<110>1 - evil - - - [x] \u{2028}\u{85}ä")
        await follower.round()
        _ = try await numbers(through: 1)
        #expect(rsyslog.lines.count == 1)
        let line = try #require(rsyslog.lines.first)
        let head = #"<110>1 \#(server.clock.now().iso8601) login.example.com signet-server - ADMIN_USER_ADDED "#
        #expect(line.hasPrefix(head + #"[signet@32473 chain="main" sequence="1"] "#), "\(line)")
        let body = try #require(line.firstIndex(of: "{"))
        let event = try JSONParser.parse(Array(line[body...].utf8)).asObject()
        #expect(try event.string("event") == "ADMIN_USER_ADDED")
        #expect(try event.string("reason").contains("evil"))
    }

    @Test("Another certificate than the authority's is refused and told; nothing is sent, nothing is lost")
    func otherCertificate() async throws {
        let stranger = try LoopbackAuthority.make(now: Date())
        try await rsyslog.start(by: stranger)
        try await append(2)
        await follower.round()
        #expect(rsyslog.lines.isEmpty)
        #expect(log.lines.contains { $0.contains("does not take the audit") && $0.contains("reason=tlsRefused") })
        await rsyslog.stop()
        try await rsyslog.start(by: authority)
        await follower.round()
        #expect(try await numbers(through: 2) == [1, 2])
    }

    @Test("A chain with quotation marks and brackets stays one value, and what is no event still has a message")
    func escaped() throws {
        let message = SyslogMessage(host: "-") { _ in "{}" }
        let record = AuditRecord(chainID: #"a"]\b"#, after: nil, event: Array("\n no JSON".utf8))
        #expect(
            String(decoding: message.frame(of: record), as: UTF8.self)
                == #"76 <110>1 - - signet-server - - [signet@32473 chain="a\"\]\\b" sequence="1"] {}"#)
    }
}

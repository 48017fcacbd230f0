import CommandSupport
import Foundation
import HTTPEngine
import Logging
import ServerCommandSupport
import ServerConfiguration
import ServerHTTP
import TestSupport
import Testing

@testable import ServerCommands

@Suite("Certificates that end")
struct CertificateTermTests {
    private static let day: TimeInterval = 86_400
    private let chain: String
    private let end: Date

    init() throws {
        let begin = Date(timeIntervalSince1970: 1_700_000_000)
        chain = try LoopbackAuthority.make(now: begin).identity(now: begin).identity.chainPEM
        end = begin + 397 * Self.day
    }

    private func term(
        _ listener: ServedCertificateTerm.Listener = .service, isOwn: Bool = false
    ) throws -> ServedCertificateTerm {
        try #require(ServedCertificateTerm(of: chain, at: listener, isOwn: isOwn))
    }

    @Test("A certificate is good until 21 days before its end, and nothing is said about it")
    func good() throws {
        let term = try term()
        #expect(term.end == end)
        #expect(term.state(at: end - 22 * Self.day) == .good && term.warning(at: end - 22 * Self.day) == nil)
    }

    @Test("One that ends soon and one that has ended are told with the day and what helps, which is no restart")
    func ending() throws {
        let term = try term()
        #expect(term.state(at: end - 20 * Self.day) == .endsSoon)
        let soon = try #require(term.warning(at: end - 20 * Self.day))
        #expect(soon.contains("ends in 20 days (2024-12-15)"), "\(soon)")
        #expect(term.state(at: end + 2 * Self.day) == .ended)
        let ended = try #require(term.warning(at: end + 2 * Self.day))
        #expect(ended.contains("ended 2 days ago (2024-12-15), and clients refuse it"), "\(ended)")
        for words in [soon, ended] {
            #expect(words.contains("renew it; the server takes new files up while it runs"))
            #expect(!words.contains("restart"))
        }
        let own = try #require(try self.term(isOwn: true).warning(at: end))
        #expect(own.contains("SIGHUP"))
    }

    @Test("Of a certificate for a few days the last third counts")
    func short() throws {
        let begin = Date(timeIntervalSince1970: 1_700_000_000)
        let chain = try TestCertificate.chain(from: begin, days: 6)
        let term = try #require(ServedCertificateTerm(of: chain, at: .service, isOwn: false))
        #expect(term.state(at: begin + 3 * Self.day) == .good)
        #expect(term.state(at: begin + 5 * Self.day) == .endsSoon)
    }

    @Test("A certificate that is sent with it and ends earlier counts")
    func intermediate() throws {
        let begin = Date(timeIntervalSince1970: 1_700_000_000)
        let both = try chain + TestCertificate.chain(from: begin, days: 6)
        let term = try #require(ServedCertificateTerm(of: both, at: .service, isOwn: false))
        #expect(term.end == begin + 6 * Self.day)
    }

    @Test("It is said at the start, when the state changes and once a day, for each listener")
    func notices() throws {
        let terms = [try term(), try term(.management)]
        var notices = CertificateNotices()
        #expect(notices.due(terms, at: end - 30 * Self.day).isEmpty)
        #expect(notices.due(terms, at: end - 20 * Self.day).map(\.state) == [.endsSoon, .endsSoon])
        #expect(notices.due(terms, at: end - 20 * Self.day + 3_600).isEmpty)
        #expect(notices.due(terms, at: end - 19 * Self.day).count == 2)
        #expect(notices.due(terms, at: end + 1).map(\.state) == [.ended, .ended])
        #expect(notices.due(terms, at: end + 3_600).isEmpty)
    }

    @Test("Each certificate that ends is a finding that names the listener")
    func told() throws {
        let terms = [try term(), try term(.management)]
        #expect(FindingSource.certificates(terms, at: end - 30 * Self.day).isEmpty)
        let words = FindingSource.certificates(terms, at: end + 1).joined()
        #expect(words.contains("the service listener") && words.contains("the management listener"))
    }

    @Test("An expired certificate of the configuration is served, told by the metrics and replaced by its files")
    func served() async throws {
        let folder = try TestSupport.TemporaryFolder()
        // Certificates have whole seconds.
        let begin = Date(timeIntervalSince1970: (Date().timeIntervalSince1970 - 10 * Self.day).rounded(.down))
        let old = try TestCertificate.pair(from: begin, days: 5)
        let new = try TestCertificate.pair(from: begin, days: 300)
        func write(_ pair: (chain: String, key: String)) throws {
            try PosixFiles().write(Array(pair.chain.utf8), to: folder.path + "/chain.pem", mode: 0o644)
            try PosixFiles().write(Array(pair.key.utf8), to: folder.path + "/key.pem", mode: 0o600)
        }
        try write(old)
        let tls = "tls: {certificate-file: chain.pem, private-key-file: key.pem}"
        let text = "data-directory: data\nserver: {\(tls)}\nmanagement: {server: {\(tls)}}\n"
        try PosixFiles().write(Array(text.utf8), to: folder.path + "/server.yml", mode: 0o600)
        let deployment = try ConfigurationFile(path: folder.path + "/server.yml", dataDirectory: nil).deployment()
        var certificates = try ServedCertificates(
            deployment, services: await TestServer(authenticators: [try SyntheticAuthenticator()]).services)
        let metrics = MetricsRegistry()
        certificates.report(to: metrics)
        func line(_ listener: String, _ days: Double) -> String {
            let seconds = Int64((begin + days * Self.day).timeIntervalSince1970)
            return "signet_certificate_not_after_seconds{listener=\"\(listener)\"} \(seconds)\n"
        }
        #expect(metrics.text.contains(line("service", 5)) && metrics.text.contains(line("management", 5)))
        #expect(certificates.terms.map { $0.state(at: Date()) } == [.ended, .ended])
        try write(new)
        #expect(try certificates.reload(deployment))
        #expect(metrics.text.contains(line("service", 300)) && metrics.text.contains(line("management", 300)))
        #expect(certificates.terms.map { $0.state(at: Date()) } == [.good, .good])
    }
}

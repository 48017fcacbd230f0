import BackendTransport
import BackendTransportLinux
import Foundation
import MobileAuthentication
import NIOSSL
import TamperGuards
import TestSupport
import Testing

@testable import DeviceCommands

@Suite("signet doctor against servers with one fault each")
struct DoctorTests {
    private let authority: TestAuthority

    init() throws {
        authority = try TestAuthority()
    }

    /// What the doctor says first of a server at a port.
    private func first(_ port: Int, host: String = "localhost", trusting: Bool = true) async throws -> DoctorFinding {
        let server = try #require(URL(string: "https://\(host):\(port)"))
        let trust = TransportTrust(additionalCertificates: trusting ? [try authority.der()] : [])
        let transport = AsyncHTTPClientTransport(trust: trust) { Int64(Date().timeIntervalSince1970) }
        let examination = ServerExamination(
            server: server, facet: nil, transport: transport, patience: .seconds(20))
        return try #require(await examination.findings().first { $0.verdict == .ill })
    }

    private func expect(
        _ name: String, _ wish: TestAuthority.Wish = .init(), maximum: TLSVersion? = nil, trusting: Bool = true,
        saying texts: [String] = []
    ) async throws {
        let tls = try authority.identity(wish).tlsConfiguration(maximum: maximum)
        try await LoopbackServer.run(tls) { port in
            let finding = try await first(port, trusting: trusting)
            #expect(finding.name == name, "\(finding.text)")
            #expect(finding.advice != nil)
            for text in texts { #expect(finding.text.contains(text), "\(finding.text)") }
        }
    }

    @Test("O-M5: an unknown issuer, a wrong name (both names), and TLS 1.1 are told apart", .timeLimit(.minutes(10)))
    func trust() async throws {
        try await expect("unknown-issuer", trusting: false, saying: ["--ca"])
        try await expect("wrong-name", .init(hosts: ["other.example"]), saying: ["other.example", "localhost"])
        try await expect("old-tls", maximum: .tlsv11)
        try await expect("not-signet")
    }

    @Test("O-M5: an expired certificate and one that is not valid yet are told apart", .timeLimit(.minutes(10)))
    func dates() async throws {
        let day: TimeInterval = 86_400
        try await expect(
            "expired", .init(start: Date() - 10 * day, end: Date() - 3 * day), saying: ["expired on", "3 days ago"])
        try await expect(
            "not-yet-valid", .init(start: Date() + 3 * day + 60, end: Date() + 10 * day), saying: ["in 3 days"])
    }

    @Test("O-M5: a clock that is years ahead is named, not the certificate it refuses", .timeLimit(.minutes(10)))
    func clock() async throws {
        let tls = try authority.identity().tlsConfiguration()
        try await LoopbackServer.run(tls) { port in
            let server = try #require(URL(string: "https://localhost:\(port)"))
            let diagnosis = ConnectionDiagnosis(
                server: server, request: BackendRequest(.get, "\(server)/hello", responseByteLimit: 1_000),
                patience: .seconds(20), now: Date() + 5 * 31_556_952)
            let finding = await diagnosis.finding(for: .untrustedConnection(.untrustedCertificate))
            #expect(finding.name == "clock")
            #expect(finding.observation.contains("5 years ahead of"))
        }
        #expect(
            ClockExamination.words(Date(timeIntervalSince1970: 7_200), against: .init(timeIntervalSince1970: 0))
                == "2 hours behind")
    }

    @Test(
        "O-M5: a silent port, one that cuts off and one without TLS are told apart", .timeLimit(.minutes(10)),
        arguments: [
            (RawListener.Behaviour.silent, "silent"), (.cutOff, "cut-off"), (.plainText, "plain-text"),
        ])
    func below(behaviour: RawListener.Behaviour, name: String) async throws {
        let listener = try RawListener(behaviour)
        defer { listener.stop() }
        let finding = try await first(listener.port, host: "127.0.0.1")
        #expect(finding.name == name, "\(finding.text)")
    }

    @Test("D-L9: the flavour of the SDK is named, with advice for debug, and is the guards' flavour")
    func flavor() {
        #expect(DoctorFinding.flavor(.release).verdict == .well && DoctorFinding.flavor(.release).advice == nil)
        #expect(DoctorFinding.flavor(.debug).verdict == .weak)
        #expect(DoctorFinding.flavor(.debug).advice?.contains("DebugFlavor") == true)
        #expect(GuardNetwork().summary.flavor.rawValue == MetaData.flavor.rawValue)
    }

    @Test("D-L9: a host that the debug flavour does not talk to is named, and no request goes there")
    func productionHost() async throws {
        let server = try #require(URL(string: "https://signet-doctor.invalid"))
        let trust = TransportTrust(issuers: MetaData.Flavor.debug.issuers())
        let examination = ServerExamination(
            server: server, facet: nil, transport: AsyncHTTPClientTransport(trust: trust) { 0 },
            patience: .seconds(20))
        #expect(await examination.findings().map(\.name) == ["production-host"])
    }

    @Test("O-M5: a port without a listener and an unknown name are told apart", .timeLimit(.minutes(10)))
    func absent() async throws {
        let listener = try RawListener(.silent)
        let port = listener.port
        listener.stop()
        #expect(try await first(port, host: "127.0.0.1").name == "connection-refused")
        #expect(try await first(443, host: "signet-doctor.invalid").name == "unknown-host")
    }

    @Test("O-M5: a server that is not ready is no stranger; the facet that is missing is named")
    func notReady() {
        let response = BackendResponse(status: 503, headers: [], body: [], connection: nil)
        #expect(FacetExamination(response: response, facet: nil).findings().first?.name == "not-ready")
        let list = Array(
            #"{"trustedFacets":[{"version":{"major":1,"minor":1},"ids":["ios:bundle-id:a.b"]}]}"#.utf8)
        let type = HeaderFields.Field("Content-Type", "application/fido.trusted-apps+json; charset=utf-8")
        let facets = BackendResponse(status: 200, headers: [type], body: list, connection: nil)
        let findings = FacetExamination(response: facets, facet: "ios:bundle-id:c.d").findings()
        #expect(findings.last?.verdict == .ill && findings.last?.observation.contains("ios:bundle-id:c.d") == true)
        #expect(FacetExamination(response: facets, facet: "ios:bundle-id:a.b").findings().last?.verdict == .well)
        let plain = BackendResponse(
            status: 200, headers: [.init("Content-Type", "text/plain")], body: list, connection: nil)
        let refused = FacetExamination(response: plain, facet: "ios:bundle-id:a.b").findings().last
        #expect(refused?.verdict == .ill && refused?.observation.contains("text/plain") == true)
    }
}

import Crypto
import Octets
import TestSupport
import Testing
import UAF

@testable import RelyingParty

@Suite("UAF Protocol 3.4.6.5, step 4: channel binding and facets")
struct ChannelBindingTests {
    private let certificate: [UInt8]
    private let frontEnd: TLSFrontEnd

    init() throws {
        certificate = try SyntheticAttestation().root
        frontEnd = try TLSFrontEnd(certificates: [certificate])
    }

    private var endPoint: String { Base64URL.encode(Array(SHA256.hash(data: certificate))) }

    private func outcome(_ rule: ChannelBindingRule, _ binding: ChannelBinding) async throws -> Verdict? {
        var ceremony = try Ceremony()
        ceremony.channelBinding = rule
        ceremony.client.channelBinding = binding
        let message = try ceremony.registrationMessage()
        do throws(RelyingPartyError) {
            _ = try await ceremony.registered(message)
            return nil
        } catch {
            #expect(!error.consumesChallenge)
            return error.verdict
        }
    }

    @Test("Nothing is demanded unless configured")
    func ignored() async throws {
        let wrong = ChannelBinding(serverEndPoint: "AAAA", tlsServerCertificate: "AAAA")
        #expect(try await outcome(.ignored, ChannelBinding()) == nil)
        #expect(try await outcome(.ignored, wrong) == nil)
    }

    @Test("What is stated must be true of the front end")
    func stated() async throws {
        let rule = ChannelBindingRule.verifiedWhenStated(frontEnd)
        let refusal = Verdict(check: 7, status: 1490)
        let encoded = Base64URL.encode(certificate)
        #expect(try await outcome(rule, ChannelBinding()) == nil)
        #expect(try await outcome(rule, ChannelBinding(serverEndPoint: endPoint, tlsServerCertificate: nil)) == nil)
        #expect(try await outcome(rule, ChannelBinding(serverEndPoint: nil, tlsServerCertificate: encoded)) == nil)
        #expect(
            try await outcome(rule, ChannelBinding(serverEndPoint: "AAAA", tlsServerCertificate: encoded)) == refusal)
        #expect(
            try await outcome(rule, ChannelBinding(serverEndPoint: endPoint, tlsServerCertificate: "AAAA")) == refusal)
    }

    @Test("Where it is required, stating nothing is refused")
    func required() async throws {
        let rule = ChannelBindingRule.required(frontEnd)
        #expect(try await outcome(rule, ChannelBinding()) == Verdict(check: 7, status: 1490))
        #expect(try await outcome(rule, ChannelBinding(serverEndPoint: endPoint, tlsServerCertificate: nil)) == nil)
    }

    @Test("Bytes that are no certificate configure no front end")
    func noCertificate() {
        #expect(throws: CertificatePathError.malformed) { _ = try TLSFrontEnd(certificates: [[1, 2, 3]]) }
    }

    @Test("Hosts of web facets ignore case and a slash at the end; everything else is compared byte by byte")
    func facets() throws {
        let trusted = TrustedFacets(
            try ["https://www.example.com", "ios:bundle-id:com.example.bank"].map { try #require(FacetID($0)) })
        for (text, isTrusted) in [
            ("https://www.example.com", true), ("https://WWW.example.com/", true),
            ("https://www.example.com/path", false),
            ("https://www.example.com:8443", false), ("http://www.example.com", false), ("https://example.com", false),
            ("ios:bundle-id:com.example.bank", true), ("ios:bundle-id:com.example.Bank", false),
            ("ios:bundle-id:com.example.bank/", false),
        ] {
            #expect(trusted.contains(try #require(FacetID(text))) == isTrusted, "\(text)")
        }
    }
}

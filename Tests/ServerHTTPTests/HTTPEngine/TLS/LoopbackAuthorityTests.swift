import CommandSupport
import Foundation
import SwiftASN1
import Testing
@_spi(FixedExpiryValidationTime) import X509

@testable import HTTPEngine

@Suite("TLS: the server's own certificate")
struct LoopbackAuthorityTests {
    private let now = Date(timeIntervalSince1970: 1_800_000_000)

    @Test("The certificate passes the review for every loopback name", arguments: ["localhost", "127.0.0.1", "::1"])
    func review(host: String) throws {
        let identity = try LoopbackAuthority.make(now: now).identity(now: now).identity
        #expect(try CertificateReview(chainPEM: identity.chainPEM, host: host, now: now).findings.isEmpty)
    }

    @Test("The chain verifies with the authority as its only root")
    func chain() async throws {
        let authority = try LoopbackAuthority.make(now: now)
        let chain = try PEMDocument.parseMultiple(pemString: authority.identity(now: now).identity.chainPEM)
            .map { try Certificate(pemDocument: $0) }
        let root = try Certificate(pemEncoded: authority.certificatePEM)
        let moment = now
        var verifier = Verifier(rootCertificates: CertificateStore([root])) {
            RFC5280Policy(fixedExpiryValidationTime: moment)
        }
        let result = await verifier.validate(
            leaf: try #require(chain.first), intermediates: CertificateStore([]))
        guard case .validCertificate = result else {
            Issue.record("the chain was refused: \(result)")
            return
        }
    }

    @Test("Chain and key make a TLS server; another key does not")
    func configuration() throws {
        let authority = try LoopbackAuthority.make(now: now)
        let one = try authority.identity(now: now)
        let other = try authority.identity(now: now)
        #expect(throws: Never.self) { try one.identity.tlsConfiguration() }
        let mixed = ServerIdentity(chainPEM: one.identity.chainPEM, privateKeyPEM: other.privateKeyPEM)
        #expect(throws: ServerIdentityError.unusableCertificate) { try mixed.tlsConfiguration() }
    }

    @Test("The review sees a foreign name, the end of validity and its approach")
    func findings() throws {
        let chain = try LoopbackAuthority.make(now: now).identity(now: now).identity.chainPEM
        let day: TimeInterval = 86_400
        let foreign = try CertificateReview(chainPEM: chain, host: "login.example.com", now: now)
        #expect(foreign.findings == [.otherName(host: "login.example.com")])
        #expect(try CertificateReview(chainPEM: chain, host: nil, now: now + 398 * day).findings == [.notValidNow])
        #expect(try CertificateReview(chainPEM: chain, host: nil, now: now - day).findings == [.notValidNow])
        #expect(
            try CertificateReview(chainPEM: chain, host: nil, now: now + 390 * day).findings == [.endsSoon(days: 7)])
    }

    @Test("Text without a certificate is refused", arguments: ["", "-----BEGIN CERTIFICATE-----", "x"])
    func unusable(text: String) {
        #expect(throws: CertificateReview.Unreadable.self) {
            try CertificateReview(chainPEM: text, host: nil, now: now)
        }
    }
}

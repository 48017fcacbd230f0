import BackendAPI
import Crypto
import HTTPTypes
import HummingbirdTesting
import NIOCore
import ServerCore
import SwiftASN1
import TestSupport
import Testing
import X509

@testable import ServerHTTP

@Suite("Routes: attested keys")
struct AttestationRouteTests {
    private static let json = "application/json"

    private func post(
        _ client: ServiceClient, _ path: String, _ body: [UInt8]
    ) async throws -> TestResponse {
        try await client.post(path, body, type: Self.json, accept: Self.json)
    }

    /// A server that knows a manufacturer, and the request of a phone with one of its chips.
    private func open() async throws -> (ServerFixture, AttestationEnrolment.Request) {
        let authority = try AttestationAuthority()
        var wish = AttestationAuthority.Wish()
        wish.usages = [[2, 23, 133, 8, 1]]
        let authenticator = try SyntheticAuthenticator()
        guard case .p256(let key) = authenticator.key else { throw SyntheticKey.Failure.noKey }
        let certificates = try authority.certificates(for: .init(key.publicKey), wish)
        let root = Array(PEMDocument(type: "CERTIFICATE", derBytes: authority.root).pemString.utf8)
        let fixture = try await ServerFixture.open { $0.uaf.attestationRoots = [root] }
        let area = SyntheticTPMStatement.PublicArea(
            key.publicKey, attributes: SyntheticTPMStatement.PublicArea.attesting)
        return (fixture, AttestationEnrolment.Request(certificates: certificates, attestationKey: area.octets))
    }

    @Test("A credential is given under both roots, and answered with another secret it brings no proof")
    func credential() async throws {
        let (fixture, request) = try await open()
        try await fixture.test { client in
            for root in ["/nevisfido", "/_app"] {
                let answer = try await post(client, root + "/attestation/credential", request.body)
                #expect(answer.status == .ok)
                let credential = try AttestationEnrolment.Credential(body: Array(answer.body.readableBytesView))
                let wrong = AttestationEnrolment.Answer(
                    enrolment: credential.enrolment, secret: [UInt8](repeating: 0, count: 32))
                let refused = try await post(client, root + "/attestation/proof/", wrong.body)
                #expect(refused.status == .unprocessableContent)
                #expect(try refused.text("code") == "forbidden")
            }
        }
    }

    @Test("A server that knows no manufacturer answers 422, and bodies of another form are malformed")
    func refusals() async throws {
        let (_, request) = try await open()
        try await ServerFixture.open().test { client in
            let unknown = try await post(client, "/nevisfido/attestation/credential", request.body)
            #expect(unknown.status == .unprocessableContent)
            for body in [#"{"certificates":[],"attestationKey":"AAAA"}"#, #"{"certificates":["AAAA"]}"#, "{}"] {
                let answer = try await post(client, "/nevisfido/attestation/credential", Array(body.utf8))
                #expect(answer.status == .badRequest)
            }
            let answer = try await post(client, "/nevisfido/attestation/proof", Array(#"{"secret":"AAAA"}"#.utf8))
            #expect(answer.status == .badRequest)
        }
    }

    @Test("An address that has enrolled too often gets 429 from both services")
    func limits() async throws {
        let (_, request) = try await open()
        var limits = RequestLimits.unhurried
        limits.perUser = RateLimit(perSecond: 1, burst: 2)
        try await ServerFixture.open(limits: limits).test { client in
            var statuses: [HTTPResponse.Status] = []
            for path in ["credential", "proof", "credential", "proof"] {
                let body = AttestationEnrolment.Answer(enrolment: [1], secret: [2]).body
                let sent = path == "proof" ? body : request.body
                statuses.append(try await post(client, "/nevisfido/attestation/" + path, sent).status)
            }
            #expect(
                statuses == [.unprocessableContent, .unprocessableContent, .tooManyRequests, .tooManyRequests])
        }
    }
}

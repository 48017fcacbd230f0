import BackendTransport
import Foundation
import NIOSSL
import TestSupport
import Testing

@Suite("SDK-14, D-L9: servers, and what the release and the debug flavour do with each", .serialized)
struct FlavorMatrixTests {
    /// A kind of server on this machine.
    enum Server: CaseIterable {
        case knownIssuer, unknownIssuer, selfSigned, additionalSelfSigned
        case expired, expiredSelfSigned, notYetValid, notYetValidSelfSigned
        case otherHost, otherHostSameAddress, otherHostUnknownIssuer
        case oldTLS, excludedSuite
        case otherPin, otherPinSelfSigned, anotherCertificate
    }

    /// Refusal of the release flavour; nil for a server that it talks to.
    private static func release(_ server: Server) -> TLSFailure? {
        switch server {
        case .knownIssuer, .additionalSelfSigned, .anotherCertificate: nil
        case .unknownIssuer, .selfSigned, .expired, .expiredSelfSigned, .notYetValid, .notYetValidSelfSigned,
            .otherHostUnknownIssuer, .otherPinSelfSigned:
            .untrustedCertificate
        case .otherHost, .otherHostSameAddress: .wrongHost
        case .oldTLS, .excludedSuite: .handshake
        case .otherPin: .pinMismatch
        }
    }

    /// Refusal of the debug flavour: it relaxes whom a certificate is of, and nothing else.
    private static func debug(_ server: Server) -> TLSFailure? {
        switch server {
        case .knownIssuer, .additionalSelfSigned, .anotherCertificate, .unknownIssuer, .selfSigned: nil
        case .expired, .expiredSelfSigned, .notYetValid, .notYetValidSelfSigned: .untrustedCertificate
        case .otherHost, .otherHostSameAddress, .otherHostUnknownIssuer: .wrongHost
        case .oldTLS, .excludedSuite: .handshake
        case .otherPin, .otherPinSelfSigned: .pinMismatch
        }
    }

    /// A server as it is started, and what the client trusts besides the issuers of its flavour.
    private struct Stage {
        var tls: TLSConfiguration
        var additionalCertificates: [[UInt8]]
        var pins: Set<PublicKeyPin> = []
    }

    private let authority: TestAuthority
    private let stranger: TestAuthority

    init() throws {
        authority = try TestAuthority()
        stranger = try TestAuthority()
    }

    private func stage(_ server: Server) throws -> Stage {
        let identity = try identity(of: server)
        var stage = Stage(tls: try identity.tlsConfiguration(), additionalCertificates: [try authority.der()])
        switch server {
        case .additionalSelfSigned: stage.additionalCertificates.append(try identity.der())
        case .oldTLS: stage.tls = try identity.tlsConfiguration(maximum: .tlsv11)
        case .excludedSuite:
            stage.tls = try identity.tlsConfiguration(
                maximum: .tlsv12, suites: [.TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA])
        case .otherPin, .otherPinSelfSigned:
            stage.pins = [try #require(PublicKeyPin([UInt8](repeating: 1, count: 32)))]
        case .knownIssuer, .unknownIssuer, .selfSigned, .expired, .expiredSelfSigned, .notYetValid,
            .notYetValidSelfSigned, .otherHost, .otherHostSameAddress, .otherHostUnknownIssuer, .anotherCertificate:
            break
        }
        return stage
    }

    private func identity(of server: Server) throws -> TestAuthority.Identity {
        let (now, hour) = (Date(), TimeInterval(3_600))
        return switch server {
        case .knownIssuer, .oldTLS, .excludedSuite, .otherPin: try authority.identity()
        case .unknownIssuer: try stranger.identity()
        case .selfSigned, .additionalSelfSigned, .otherPinSelfSigned: try authority.identity(.init(isSelfSigned: true))
        case .expired: try authority.identity(.init(start: now - 2 * hour, end: now - hour))
        case .expiredSelfSigned:
            try authority.identity(.init(start: now - 2 * hour, end: now - hour, isSelfSigned: true))
        case .notYetValid: try authority.identity(.init(start: now + hour, end: now + 2 * hour))
        case .notYetValidSelfSigned:
            try authority.identity(.init(start: now + hour, end: now + 2 * hour, isSelfSigned: true))
        case .otherHost: try authority.identity(.init(hosts: ["other.example"]))
        // For the address that the name leads to: the server of the name chooses that.
        case .otherHostSameAddress:
            try authority.identity(
                .init(
                    hosts: ["other.example"],
                    addresses: [[127, 0, 0, 1], [UInt8](repeating: 0, count: 15) + [1]]))
        case .otherHostUnknownIssuer: try stranger.identity(.init(hosts: ["other.example"]))
        // Of the same issuer for the same host: refused by pins or a required channel binding only.
        case .anotherCertificate: try authority.identity(.init(hosts: ["localhost", "other.example"]))
        }
    }

    private func expect(
        _ failure: TLSFailure?, from stage: Stage, _ issuers: TransportTrust.Issuers, _ comment: Comment
    ) async throws {
        let trust = TransportTrust(
            issuers: issuers, additionalCertificates: stage.additionalCertificates, pins: stage.pins)
        let observer = LoopbackServer.Observer()
        do {
            let response = try await LoopbackServer.response(stage.tls, trust, observer: observer) {
                BackendRequest(.get, $0 + "/hello")
            }
            #expect(failure == nil && response.status == 200, comment)
        } catch let error as BackendTransportError {
            #expect(failure.map(BackendTransportError.untrustedConnection) == error, comment)
            #expect(observer.seen.isEmpty, comment)
        }
    }

    @Test("Both flavours do with each server what the tables say", .timeLimit(.minutes(10)), arguments: Server.allCases)
    func row(server: Server) async throws {
        let stage = try stage(server)
        try await expect(Self.release(server), from: stage, .known, "release")
        try await expect(Self.debug(server), from: stage, .anyAt(LocalHosts()), "debug")
    }

    @Test("The debug flavour differs for issuers, and where another fault lies behind an unknown one")
    func differences() {
        let differing = Server.allCases.filter { Self.release($0) != Self.debug($0) }
        #expect(differing == [.unknownIssuer, .selfSigned, .otherHostUnknownIssuer, .otherPinSelfSigned])
    }
}

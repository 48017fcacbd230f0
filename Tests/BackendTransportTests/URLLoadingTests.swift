import TestSupport
import Testing

@testable import BackendTransport

@Suite("D-M1, D-M2: what the URL loading system says, in the words of the port")
struct URLLoadingTests {
    @Test(
        "D-M1: a refused certificate is told as such, not as cancelled",
        arguments: [TLSFailure.untrustedCertificate, .wrongHost, .pinMismatch])
    func refused(failure: TLSFailure) {
        // The system ends a task whose challenge was refused with NSURLErrorCancelled.
        let ended = LoadingFailure(code: -999, decision: .untrustedConnection(failure))
        #expect(ended.meaning == .untrustedConnection(failure))
    }

    @Test("D-M1: no code of the system means that the caller has cancelled")
    func codes() {
        for code in -4_000...0 { #expect(LoadingFailure(code: code).meaning != .cancelled) }
        #expect(LoadingFailure(code: nil).meaning == .noConnection)
        #expect(LoadingFailure(code: -999).meaning == .noConnection)
        let meanings: [(Int, BackendTransportError)] = [
            (-1_001, .timedOut), (-1_200, .untrustedConnection(.handshake)), (-1_017, .malformedResponse),
            (-1_202, .untrustedConnection(.untrustedCertificate)), (-1_000, .unusableAddress),
            (-1_022, .insecureAddress), (-1_003, .unknownHost), (-1_006, .unknownHost), (-1_004, .closedPort),
            (-1_005, .noConnection), (-1_009, .noConnection),
        ]
        for (code, meaning) in meanings { #expect(LoadingFailure(code: code).meaning == meaning) }
    }

    @Test("D-M1: a chain that is not trusted is refused whatever is pinned, and a wrong name is told apart")
    func verdicts() throws {
        let chain = try TestChain()
        let certificates = [try chain.leaf.der, try chain.root.der]
        for pins in [[], [try chain.leaf.pin]] as [Set<PublicKeyPin>] {
            let expired = PlatformVerdict(isTrusted: false, status: -67_818, chain: certificates)
            #expect(expired.failure(pins: pins) == .untrustedCertificate)
            #expect(
                PlatformVerdict(isTrusted: false, status: nil, chain: []).failure(pins: pins) == .untrustedCertificate)
            let wrongHost = PlatformVerdict(isTrusted: false, status: -67_602, chain: certificates)
            #expect(wrongHost.failure(pins: pins) == .wrongHost)
        }
        #expect(
            PlatformVerdict(isTrusted: true, status: nil, chain: [[1, 2]]).failure(pins: [try chain.leaf.pin])
                == .pinMismatch)
    }

    @Test("D-M1: a server of an unknown issuer gets no request of URLSession, and no cancellation is reported")
    func unknownIssuer() async throws {
        let observer = LoopbackServer.Observer()
        let authority = try TestAuthority()
        try await LoopbackServer.run(try authority.identity().tlsConfiguration(), observer: observer) { port in
            do throws(BackendTransportError) {
                _ = try await URLSessionTransport().response(
                    to: BackendRequest(.get, "https://localhost:\(port)/hello", timeout: .seconds(20)))
                Issue.record("the server was talked to")
            } catch {
                // The library of Linux gives no reason; the one of Apple platforms does.
                #expect([.noConnection, .untrustedConnection(.untrustedCertificate)].contains(error))
            }
        }
        #expect(observer.seen.isEmpty)
    }

    #if !canImport(Darwin)
        @Test("A trust that URLSession cannot keep here is refused, not ignored")
        func unusableTrust() async throws {
            let chain = try TestChain()
            let trusts = [
                TransportTrust(issuers: .any), TransportTrust(issuers: .anyAt(LocalHosts())),
                TransportTrust(additionalCertificates: [try chain.root.der]),
                TransportTrust(pins: [try chain.leaf.pin]),
            ]
            for trust in trusts {
                await #expect(throws: BackendTransportError.unusableTrustSettings) {
                    try await URLSessionTransport(trust: trust).response(to: BackendRequest(.get, "https://localhost/"))
                }
            }
        }
    #endif

    @Test("D-M2: joined cookies come apart where the next one begins, and nowhere else")
    func cookies() {
        let joined: [(String, [String])] = [
            ("a=1; Path=/, b=2; Path=/x", ["a=1; Path=/", "b=2; Path=/x"]),
            (
                "a=1; Expires=Wed, 09 Jun 2027 10:18:14 GMT, b=2; expires=Thu, 10-Jun-27 10:18:14 GMT; Secure",
                ["a=1; Expires=Wed, 09 Jun 2027 10:18:14 GMT", "b=2; expires=Thu, 10-Jun-27 10:18:14 GMT; Secure"]
            ),
            ("a=\"x, y\"; Path=/,b=", ["a=\"x, y\"; Path=/", "b="]), ("a=1", ["a=1"]), ("", []), (",,", [",,"]),
            ("__Host-s=1;Secure,__Secure-t=2", ["__Host-s=1;Secure", "__Secure-t=2"]),
        ]
        for (text, cookies) in joined { #expect(HeaderFields.cookies(in: text) == cookies) }
    }

    @Test("D-M2: cookies that were joined come apart again, whichever and however many")
    func everyJoin() {
        let pool = LoopbackServer.cookies + ["d=; Max-Age=0", "e=x=y; HttpOnly; Expires=Sun, 06 Nov 2033 08:49:37 GMT"]
        for first in pool {
            for second in pool {
                for third in pool {
                    let cookies = [first, second, third]
                    let fields = HeaderFields(joined: [(name: "Set-Cookie", value: cookies.joined(separator: ", "))])
                    #expect(fields.values(of: "set-cookie") == cookies)
                }
            }
        }
        let other = HeaderFields(joined: [(name: "Vary", value: "a=1, b=2")])
        #expect(other.values(of: "vary") == ["a=1, b=2"])
    }
}

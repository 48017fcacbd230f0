import AppleFoundation
import Security
import Synchronization
import Testing

@testable import BackendTransport

@Suite("The delegate of the URL loading system judges the certificates of a server")
struct ServerTrustTests {
    private static let server = Data("certificate of the server".utf8)
    private static let issuer = Data("certificate of the issuer".utf8)

    private final class Sender: NSObject, URLAuthenticationChallengeSender {
        func use(_ credential: URLCredential, for challenge: URLAuthenticationChallenge) {}
        func continueWithoutCredential(for challenge: URLAuthenticationChallenge) {}
        func cancel(_ challenge: URLAuthenticationChallenge) {}
        func performDefaultHandling(for challenge: URLAuthenticationChallenge) {}
        func rejectProtectionSpaceAndContinue(with challenge: URLAuthenticationChallenge) {}
    }

    /// What the delegate answers to the question of the system, and how the exchange ends after it.
    private func judged(
        _ shown: SecTrust?, by trust: TransportTrust = TransportTrust()
    ) async throws -> (URLSession.AuthChallengeDisposition?, URLSessionTasks.Outcome?) {
        let tasks = URLSessionTasks(trust)
        let session = URLSession(configuration: .ephemeral)
        let task = session.dataTask(with: try #require(URL(string: "https://server.example/")))
        let outcomes = tasks.outcomes(of: task, byteLimit: 10)
        let space = StubProtectionSpace(host: "server.example", trust: shown)
        let challenge = URLAuthenticationChallenge(
            protectionSpace: space, proposedCredential: nil, previousFailureCount: 0, failureResponse: nil, error: nil,
            sender: Sender())
        let answer = Mutex<URLSession.AuthChallengeDisposition?>(nil)
        tasks.urlSession(session, task: task, didReceive: challenge) { given, _ in answer.withLock { $0 = given } }
        tasks.urlSession(session, task: task, didCompleteWithError: URLError(.cancelled))
        return (answer.withLock { $0 }, await outcomes.first { _ in true })
    }

    private func failure(_ outcome: URLSessionTasks.Outcome?) -> BackendTransportError? {
        guard case .failure(let failure)? = outcome else { return nil }
        return failure
    }

    @Test("An issuer of the system is trusted, an unknown one is not, and the reason is told")
    func issuers() async throws {
        let known = SecTrust(chain: [Self.server, Self.issuer], systemAnchors: [Self.issuer])
        #expect(try await judged(known).0 == .useCredential)
        let (answer, end) = try await judged(SecTrust(chain: [Self.server, Self.issuer]))
        #expect(answer == .cancelAuthenticationChallenge)
        #expect(failure(end) == .untrustedConnection(.untrustedCertificate))
    }

    @Test("A further issuer is trusted beside the issuers of the system, not in their place")
    func furtherIssuer() async throws {
        let trust = TransportTrust(additionalCertificates: [Array(Self.issuer)])
        #expect(try await judged(SecTrust(chain: [Self.server, Self.issuer]), by: trust).0 == .useCredential)
        let other = Data("another issuer".utf8)
        #expect(
            try await judged(SecTrust(chain: [Self.server, other], systemAnchors: [other]), by: trust).0
                == .useCredential)
        #expect(
            try await judged(SecTrust(chain: [Self.server, other]), by: trust).0 == .cancelAuthenticationChallenge)
    }

    @Test("A certificate for another name is told as such; a pin that no certificate has refuses a trusted chain")
    func reasons() async throws {
        // errSecHostNameMismatch
        let elsewhere = SecTrust(chain: [Self.server, Self.issuer], systemAnchors: [Self.issuer], failure: -67_602)
        #expect(failure(try await judged(elsewhere).1) == .untrustedConnection(.wrongHost))
        let pins = TransportTrust(pins: [try #require(PublicKeyPin(Array(repeating: 1, count: 32)))])
        let known = SecTrust(chain: [Self.server, Self.issuer], systemAnchors: [Self.issuer])
        #expect(failure(try await judged(known, by: pins).1) == .untrustedConnection(.pinMismatch))
    }

    @Test("A question for a password is left to the system")
    func password() async throws {
        #expect(try await judged(nil).0 == .performDefaultHandling)
    }
}

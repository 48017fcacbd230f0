import BackendAPI
import Logging
import NIOCore
import ServerCore

/// The push service as one message sees it: one request, with an access token that the service takes.
struct FCMService: Sendable {
    /// Result of one attempt.
    enum Attempt: Hashable, Sendable {
        case done(DispatchDelivery)
        /// Another try may succeed, after the time that the service asks for.
        case tryAgain(after: Duration?)
    }

    private let transport: PushTransport
    private let tokens: PushServiceTokens
    private let url: String
    private let ports: PushDispatcher.Ports

    init(
        settings: FirebaseSettings, account file: [UInt8], trustedCertificates: [UInt8]?, plan: RetryPlan,
        ports: PushDispatcher.Ports
    ) throws(ServerPushError) {
        let tokenAddress = settings.tokenEndpoint.map(HTTPSAddress.init)
        guard let endpoint = HTTPSAddress(settings.endpoint), tokenAddress != .some(nil) else {
            throw .unusableAddress
        }
        let account = try ServiceAccount(json: file, tokenAddress: tokenAddress ?? nil)
        let transport = try PushTransport(trustedCertificates: trustedCertificates, proxy: settings.proxy)
        url = endpoint.appending("/v1/projects/\(account.projectID)/messages:send")
        let clock = ports.clock
        tokens = PushServiceTokens(timer: ports.timer) {
            await TokenGrant(account: account, clock: clock, transport: transport).answer(within: plan.attempt)
        }
        self.transport = transport
        self.ports = ports
    }

    /// Sends the message once, or twice when the service has forgotten our access token before its end.
    func send(_ message: FCMMessage, within time: Duration) async -> Attempt {
        let start = ports.timer.elapsed()
        for isLast in [false, true] {
            do throws(PushServiceTokens.Failure) {
                let token = try await tokens.token()
                let left = max(time - (ports.timer.elapsed() - start), .milliseconds(1))
                let answer = await exchange(message, with: token, within: left)
                guard answer == .success(.unauthorized) else { return attempt(answer) }
                await tokens.discard(token)
                if isLast { return refused(reason: "UNAUTHENTICATED") }
            } catch {
                return attempt(error)
            }
        }
        return refused(reason: "UNAUTHENTICATED")
    }

    private func exchange(
        _ message: FCMMessage, with token: PushServiceToken, within time: Duration
    ) async -> Result<FCMAnswer, PushTransportError> {
        let request = PushRequest(
            url: url, contentType: "application/json; charset=utf-8", authorization: token.authorization,
            body: message.body)
        do throws(PushTransportError) {
            return .success(FCMAnswer(try await transport.response(to: request, within: time)))
        } catch {
            return .failure(error)
        }
    }

    // MARK: - Interpretation

    private func attempt(_ answer: Result<FCMAnswer, PushTransportError>) -> Attempt {
        switch answer {
        case .success(.accepted(let name)): .done(.delivered(response: name))
        case .success(.unregistered): .done(.failed(.unregistered))
        case .success(.refused(let reason)): refused(reason: reason)
        case .success(.unauthorized): refused(reason: "UNAUTHENTICATED")
        case .success(.busy(let retryAfter)): .tryAgain(after: duration(retryAfter))
        // The service may have the message: another one would ask the user twice.
        case .success(.unintelligible), .failure(.malformed): unintelligible()
        case .failure(.untrusted): refused(reason: "no trustworthy connection")
        case .failure(.proxyRefused): refused(reason: "refused by the proxy")
        case .failure(.noConnection), .failure(.timedOut): .tryAgain(after: nil)
        case .failure(.cancelled): .done(.failed(.unavailable))
        }
    }

    private func attempt(_ failure: PushServiceTokens.Failure) -> Attempt {
        switch failure {
        case .unavailable(let retryAfter): .tryAgain(after: duration(retryAfter))
        case .refused: refused(reason: "no access token")
        }
    }

    private func refused(reason: String) -> Attempt {
        ports.logger.warning("push refused", metadata: ["reason": "\(reason)"])
        return .done(.failed(.refused))
    }

    private func unintelligible() -> Attempt {
        ports.logger.warning("push service not understood")
        return .done(.failed(.unavailable))
    }

    private func duration(_ retryAfter: String?) -> Duration? {
        retryAfter.flatMap { RetryAfter.duration($0, now: ports.clock.now().seconds) }
    }
}

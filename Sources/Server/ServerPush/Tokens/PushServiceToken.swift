import Octets

/// The push service token in use, fetched when it is needed and by one request at a time.
actor PushServiceTokens {
    /// Failure to get a token.
    enum Failure: Error, Hashable, Sendable {
        /// Trying again after the time asked for may help.
        case unavailable(retryAfter: String?)
        /// It does not help.
        case refused
    }

    typealias Fetch = @Sendable () async -> Result<TokenAnswer, PushTransportError>

    /// A token is used no longer than this before its end, or than half of its life.
    private static let margin: Duration = .seconds(60)

    private let fetch: Fetch
    private let timer: any PushTimer
    private var current: PushServiceToken?
    private var request: Task<Result<PushServiceToken, Failure>, Never>?
    private var count = 0

    init(timer: any PushTimer, fetch: @escaping Fetch) {
        self.timer = timer
        self.fetch = fetch
    }

    /// A token that is still good for a while; all tasks that wait for one share the request.
    func token() async throws(Failure) -> PushServiceToken {
        if let current, timer.elapsed() < current.usableUntil { return current }
        let request = request ?? beginRequest()
        return try await request.value.get()
    }

    func discard(_ token: PushServiceToken) {
        if current?.number == token.number { current = nil }
    }

    private func beginRequest() -> Task<Result<PushServiceToken, Failure>, Never> {
        let began = timer.elapsed()
        // Its own task: one that gives up waiting does not take the token from the others.
        let request = Task {
            let result = self.result(of: await fetch(), askedAt: began)
            self.request = nil
            return result
        }
        self.request = request
        return request
    }

    private func result(
        of exchange: Result<TokenAnswer, PushTransportError>, askedAt began: Duration
    ) -> Result<PushServiceToken, Failure> {
        switch exchange {
        case .success(.granted(let bearer, let lifetime)):
            count += 1
            let token = PushServiceToken(
                authorization: Sensitive("Bearer \(bearer.reveal())"),
                usableUntil: began + max(lifetime - Self.margin, lifetime / 2), number: count)
            current = token
            return .success(token)
        case .success(.busy(let retryAfter)): return .failure(.unavailable(retryAfter: retryAfter))
        case .success(.refused), .failure(.untrusted), .failure(.proxyRefused): return .failure(.refused)
        case .success(.unintelligible), .failure: return .failure(.unavailable(retryAfter: nil))
        }
    }
}

/// Push service token: bearer token of the server at the push service, good for about an hour; secret.
struct PushServiceToken: Sendable {
    /// The value of `Authorization`.
    let authorization: Sensitive<String>
    /// Last moment of its use, on the timer that was running when it came.
    let usableUntil: Duration
    let number: Int
}

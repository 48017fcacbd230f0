import BackendAPI
import BackendTransport
import Linearizability
import Synchronization
import TestSupport
import UAF

/// Way of many clients to the servers of a stage, until some time after one of them was killed.
///
/// Each client talks to a server of its own and, when that one was killed, to another one.
final class HistoryLoad: Sendable {
    /// Blow that falls while clients work.
    struct Strike: Sendable {
        /// Number of the server that dies; nil when it is the database that is struck.
        let victim: Int?
        /// Effect, of those at the victim, whose answer brings the blow down.
        let answerCount: Int
        /// Whether that answer never reaches its client: the commit is done, and no client hears of it.
        let losesAnswer: Bool
        /// The blow itself.
        let fall: @Sendable () async -> Void

        init(victim: Int?, answerCount: Int, losesAnswer: Bool, fall: @escaping @Sendable () async -> Void) {
            self.victim = victim
            self.answerCount = answerCount
            self.losesAnswer = losesAnswer
            self.fall = fall
        }
    }

    /// Service that clients saw after the blow: from it to what follows, by one clock.
    struct Service: Sendable {
        /// Time to the first answer that says what happened, to a request that was sent after the blow, and from which on
        /// no request was sent in vain; nil for none.
        var firstAnswer: Duration?
        /// Time to the end of the last request without such an answer; nil when each had one.
        var lastFailure: Duration?
    }

    private struct Progress {
        /// Effects before the blow.
        var before: Int
        /// Effects after it has ended, at servers that live.
        var after: Int
        /// Requests in a row without an answer.
        var silence = 0
        /// Time at which the blow began; nil before it.
        var fallenAt: ContinuousClock.Instant?
        /// Whether the blow has ended: the process is killed, or the database there again.
        var isStruck = false
        var service = Service()
    }

    /// Requests in a row without an answer after which the servers are given up, some minutes after a server has ended.
    private static let silenceLimit = 20_000

    /// Time that a client waits after an answer that says nothing, or none.
    ///
    /// It is shorter than what `Retry-After` asks for, so that the end of a pause is noticed when it is there.
    private static let patience = Duration.milliseconds(50)

    private let clock = ContinuousClock()
    private let transport: any HTTPTransport
    private let addresses: [String]
    private let strike: Strike?
    private let progress: Mutex<Progress>

    /// A way to servers by their addresses; without a strike there is no end of it.
    init(over transport: any HTTPTransport, to addresses: [String], strike: Strike?) {
        self.transport = transport
        self.addresses = addresses
        self.strike = strike
        let before = strike?.answerCount ?? .max
        progress = Mutex(Progress(before: before, after: strike == nil ? .max : max(before / 4, 10)))
    }

    /// Whether clients may stop: the blow has fallen, the servers that live have gone on for a while, and the last thing
    /// that was heard of them is an answer.
    ///
    /// A request that was under way while others had their answers may still fail; its client goes on until it has one.
    var isOver: Bool {
        progress.withLock { progress in
            if progress.silence > Self.silenceLimit { return true }
            guard progress.before <= 0 else { return false }
            if strike?.victim != nil, addresses.count == 1 { return true }
            return progress.after <= 0 && progress.service.firstAnswer != nil
        }
    }

    /// Service that clients saw after the blow.
    var service: Service { progress.withLock { $0.service } }

    // MARK: - Sending

    /// Posts a body; nil when no answer came that says what happened.
    ///
    /// A connection that is refused or breaks, and a status of 500 and above, 503 with `Retry-After` among them, say
    /// nothing: the commit may have been under way. An effect is what the histories tell of; the blow falls at the answer
    /// to one.
    func answer(
        _ endpoint: Endpoint, _ body: [UInt8], key: String? = nil, from client: Int, isEffect: Bool = true
    ) async -> BackendResponse? {
        guard let index = server(for: client) else { return nil }
        var headers: HeaderFields = [.init("Accept", endpoint.responseTypes.first?.essence ?? "*/*")]
        if let type = endpoint.requestTypes.first { headers.append("Content-Type", type.essence) }
        if let key { headers.append("Authorization", "Bearer " + key) }
        let address = addresses[index] + Endpoint.serviceRoot + endpoint.path
        let request = BackendRequest(.post, address, headers: headers, body: body)
        let sentAt = clock.now
        guard let answer = try? await transport.response(to: request), answer.status < 500 else {
            await noteFailure(sentAt: sentAt)
            return nil
        }
        guard isEffect else { return answer }
        guard Self.tellsOutcome(answer, of: endpoint) else {
            await noteFailure(sentAt: sentAt)
            return answer
        }
        noteAnswer(sentAt: sentAt)
        guard let strike, await countEffect(at: index), strike.losesAnswer else { return answer }
        return nil
    }

    /// Whether an answer to an effect says what happened: in UAF a failure of the server is a status inside.
    private static func tellsOutcome(_ answer: BackendResponse, of endpoint: Endpoint) -> Bool {
        guard answer.status == 200 else { return true }
        if endpoint == .registrationResponse || endpoint == .authenticationResponse {
            return (try? ServerResponse(body: answer.body))?.statusCode.decision != nil
        }
        if endpoint == .deregistrationRequest || endpoint == .redeemToken(.registration) {
            return (try? ReturnUAFRequest(body: answer.body))?.statusCode.decision != nil
        }
        return true
    }

    private func noteAnswer(sentAt: ContinuousClock.Instant) {
        let now = clock.now
        progress.withLock { progress in
            progress.silence = 0
            guard let fallenAt = progress.fallenAt, sentAt >= fallenAt, progress.service.firstAnswer == nil else {
                return
            }
            progress.service.firstAnswer = now - fallenAt
        }
    }

    private func noteFailure(sentAt: ContinuousClock.Instant) async {
        let now = clock.now
        progress.withLock { progress in
            progress.silence += 1
            guard let fallenAt = progress.fallenAt else { return }
            progress.service.lastFailure = now - fallenAt
            // The database still answers for a moment after it was told to stop.
            if let first = progress.service.firstAnswer, sentAt > fallenAt + first {
                progress.service.firstAnswer = nil
            }
        }
        try? await Task.sleep(for: Self.patience)
    }

    /// The server of a client; nil when none lives.
    private func server(for client: Int) -> Int? {
        let own = client % addresses.count
        let hasFallen = progress.withLock { $0.before <= 0 }
        guard hasFallen, own == strike?.victim else { return own }
        return addresses.count > 1 ? (own + 1) % addresses.count : nil
    }

    /// Counts an answer; whether the blow has fallen at it.
    private func countEffect(at index: Int) async -> Bool {
        let isLast = progress.withLock { progress in
            if progress.before <= 0 {
                if progress.isStruck { progress.after -= 1 }
                return false
            }
            guard strike?.victim == nil || strike?.victim == index else { return false }
            progress.before -= 1
            guard progress.before == 0 else { return false }
            progress.fallenAt = clock.now
            return true
        }
        guard isLast else { return false }
        await strike?.fall()
        progress.withLock { $0.isStruck = true }
        return true
    }
}

/// Exchanges of UAF clients.
extension HistoryLoad {
    /// Asks for a registration; nil when there is no answer.
    func registrationRequest(for user: UserName, from client: Int) async throws -> RegistrationRequest? {
        let asked = GetUAFRequest(RegistrationContext(username: user))
        guard case .registration(let request)? = try await request(.registrationRequest, asked, client) else {
            return nil
        }
        return request
    }

    /// Asks for an authentication; nil when there is no answer, or no credential to ask for.
    func authenticationRequest(for user: UserName, from client: Int) async throws -> AuthenticationRequest? {
        let asked = GetUAFRequest(AuthenticationContext(username: user))
        guard case .authentication(let request)? = try await request(.authenticationRequest, asked, client) else {
            return nil
        }
        return request
    }

    private func request(
        _ endpoint: Endpoint, _ asked: GetUAFRequest, _ client: Int
    ) async throws -> OperationRequest? {
        guard let answer = await answer(endpoint, asked.body, from: client, isEffect: false), answer.status == 200,
            let text = try ReturnUAFRequest(body: answer.body).uafRequest
        else { return nil }
        return try OperationRequest(message: Array(text.utf8))
    }

    /// Sends a response of a phone; nil when no verdict came.
    func verdict(
        _ endpoint: Endpoint, on message: [UInt8], from client: Int, isEffect: Bool = true
    ) async throws -> ServerResponse? {
        let body = SendUAFResponse(uafResponse: String(decoding: message, as: UTF8.self)).body
        guard let answer = await answer(endpoint, body, from: client, isEffect: isEffect), answer.status == 200 else {
            return nil
        }
        return try ServerResponse(body: answer.body)
    }
}

extension StatusCode {
    /// Decision that a status stands for; nil for a failure of the server, after which nothing is known.
    var decision: Decision? {
        if self == .ok { return .accepted }
        return self == .internalServerError ? nil : .refused
    }
}

import BackendAPI
import JOSE
import UAF

/// The rules of redeeming a token: open the payload, go to no server but a known one, take the request
/// (`backend-http-api` 2.5 to 2.7).
struct OutOfBandMachine: OperationMachine, ~Copyable {
    private typealias Next = Step<Effect, OutOfBandRedemption, OutOfBandFailure>

    /// What the application asked for.
    struct Order: Sendable {
        var content: OutOfBandEnvelope.Content?
        /// The configured server.
        var server: ServerAddress

        init(server: ServerAddress) { self.server = server }
    }

    enum Effect: OperationEffect {
        case loadDevice
        /// Tries the keys for these servers, in this order.
        case open(CompactJWE, [ServerAddress])
        case redeem(token: String, RedeemTarget)

        var outlivesCancellation: Bool { false }
    }

    enum Event: Sendable {
        case device(DeviceSnapshot)
        /// The plaintext, and the server whose key opened it.
        case opened([UInt8], ServerAddress)
        case request(RequestAnswer<OperationRequest>)
        case failed(CeremonyFailure)
        case canceled
    }

    typealias Output = OutOfBandRedemption
    typealias Failure = OutOfBandFailure
    static var cancellation: Event { .canceled }

    private enum State {
        /// Before `start`.
        case idle
        /// The keys of the device are being read.
        case loading(OutOfBandEnvelope.Content)
        /// The payload is being decrypted.
        case opening
        /// The server has been asked for the request.
        case redeeming(OutOfBandContent, ServerAddress)
        /// The end.
        case finished(Result<OutOfBandRedemption, OutOfBandFailure>)
    }

    private let order: Order
    private var state = State.idle

    init(_ order: Order) { self.order = order }

    mutating func start() -> Step<Effect, OutOfBandRedemption, OutOfBandFailure> {
        guard case .idle = state else { return resume(.canceled) }
        guard let content = order.content else {
            return finish(.failure(.ceremony(.wrongUse(MissingParameterError("payload")))))
        }
        return enter(.loading(content), .loadDevice)
    }

    mutating func resume(_ event: Event) -> Step<Effect, OutOfBandRedemption, OutOfBandFailure> {
        switch state {
        case .idle: finish(.failure(.ceremony(failure(of: event))))
        case .loading(let content): afterLoading(content, event)
        case .opening: afterOpening(event)
        case .redeeming(let content, let server): afterRedeeming(content, server, event)
        case .finished(let result): .finish(result)
        }
    }

    private mutating func afterLoading(_ content: OutOfBandEnvelope.Content, _ event: Event) -> Next {
        guard case .device(let device) = event else { return finish(.failure(.ceremony(failure(of: event)))) }
        switch content {
        case .plain(let content): return redeem(content, among: [order.server] + device.servers)
        case .encrypted(let text):
            do throws(JOSEError) {
                let token = try CompactJWE(parsing: text)
                let servers = device.servers(thatOpen: token.keyID)
                guard !servers.isEmpty else { return finish(.failure(.undecryptable(nil))) }
                return enter(.opening, .open(token, servers))
            } catch {
                return finish(.failure(.undecryptable(error)))
            }
        }
    }

    private mutating func afterOpening(_ event: Event) -> Next {
        guard case .opened(let plaintext, let server) = event else {
            if case .failed(.device(let cause as JOSEError)) = event { return finish(.failure(.undecryptable(cause))) }
            return finish(.failure(.ceremony(failure(of: event))))
        }
        do throws(BackendAPIError) {
            // Only the server that the key is for may send this device anywhere, and only to itself.
            return redeem(try OutOfBandContent(body: plaintext), among: [server])
        } catch {
            return finish(.failure(.malformed(error)))
        }
    }

    private mutating func redeem(_ content: OutOfBandContent, among servers: [ServerAddress]) -> Next {
        guard let address = RedeemAddress(content.redeemURL, among: servers) else {
            return finish(.failure(.malformed(UnknownServerError())))
        }
        return enter(
            .redeeming(content, address.server), .redeem(token: content.token, RedeemTarget(url: address.url)))
    }

    private mutating func afterRedeeming(
        _ content: OutOfBandContent, _ server: ServerAddress, _ event: Event
    ) -> Next {
        guard case .request(let answer) = event else { return finish(.failure(.ceremony(failure(of: event)))) }
        switch answer {
        case .request(let request, let expiry):
            return finish(
                .success(
                    OutOfBandRedemption(
                        request: request, expiry: expiry, server: server, linking: content.channelLinking)))
        case .refused(.fido(_, cause: let status as ServerStatus)) where status == .requestTimeout:
            return finish(.failure(.tokenExpired(status)))
        case .refused(.fido(_, cause: let status as ServerStatus)) where status == .requestInvalid:
            return finish(.failure(.alreadyRedeemed(status)))
        case .nothingToDo, .refused, .unreachable: return finish(.failure(.ceremony(answer.failure)))
        }
    }

    /// What an event that brings nothing forward means.
    private func failure(of event: Event) -> CeremonyFailure {
        switch event {
        case .failed(let failure): failure
        case .canceled: .canceled
        default: .fido(.unknown)
        }
    }

    private mutating func enter(_ next: State, _ effect: Effect) -> Next {
        state = next
        return .perform(effect)
    }

    private mutating func finish(_ result: Result<OutOfBandRedemption, OutOfBandFailure>) -> Next {
        state = .finished(result)
        return .finish(result)
    }
}

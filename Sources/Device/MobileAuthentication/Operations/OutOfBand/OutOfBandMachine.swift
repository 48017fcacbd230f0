import BackendAPI
import JOSE
import UAF

/// The rules of redeeming a token: open the payload, go to no server but a known one, take the request
/// (`backend-http-api` 2.5 to 2.7).
///
/// A deregistration is over for the server when its token is redeemed; the keys that it names go here at once (FIDO UAF
/// Protocol 1.1, 3.6.4).
struct OutOfBandMachine: OperationMachine, ~Copyable {
    private typealias Next = Step<Effect, OutOfBandOutcome, OutOfBandFailure>

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
        case checkFacet(OperationHeader)
        case remove([CredentialID])

        /// What the server has forgotten is useless here, whatever the user thinks of it by now.
        var outlivesCancellation: Bool {
            switch self {
            case .checkFacet, .remove: true
            case .loadDevice, .open, .redeem: false
            }
        }
    }

    enum Event: Sendable {
        case device(DeviceSnapshot)
        /// The plaintext, and the server whose key opened it.
        case opened([UInt8], ServerAddress)
        case request(RequestAnswer<OperationRequest>)
        case facet(FacetVerdict)
        /// The keys are gone.
        case done
        case failed(CeremonyFailure)
        case canceled
    }

    typealias Output = OutOfBandOutcome
    typealias Failure = OutOfBandFailure
    static var cancellation: Event { .canceled }

    /// What is being redeemed, where, and what the device holds.
    private struct Redeeming {
        let content: OutOfBandContent
        let target: RedeemTarget
        let server: ServerAddress
        let device: DeviceSnapshot
    }

    private enum State {
        /// Before `start`.
        case idle
        /// The keys of the device are being read.
        case loading(OutOfBandEnvelope.Content)
        /// The payload is being decrypted.
        case opening(DeviceSnapshot)
        /// The server has been asked for the request.
        case redeeming(Redeeming)
        /// The server has forgotten keys; the facet list of its request is being looked at.
        case checkingFacet(DeregistrationRequest, Redeeming)
        /// The keys are being deleted here.
        case removing
        /// The end.
        case finished(Result<OutOfBandOutcome, OutOfBandFailure>)
    }

    private let order: Order
    private var state = State.idle

    init(_ order: Order) { self.order = order }

    mutating func start() -> Step<Effect, OutOfBandOutcome, OutOfBandFailure> {
        guard case .idle = state else { return resume(.canceled) }
        guard let content = order.content else {
            return finish(.failure(.ceremony(.wrongUse(MissingParameterError("payload")))))
        }
        return enter(.loading(content), .loadDevice)
    }

    mutating func resume(_ event: Event) -> Step<Effect, OutOfBandOutcome, OutOfBandFailure> {
        switch state {
        case .idle: finish(.failure(.ceremony(failure(of: event))))
        case .loading(let content): afterLoading(content, event)
        case .opening(let device): afterOpening(device, event)
        case .redeeming(let redeeming): afterRedeeming(redeeming, event)
        case .checkingFacet(let request, let redeeming): afterFacet(request, redeeming, event)
        case .removing: afterRemoval(event)
        case .finished(let result): .finish(result)
        }
    }

    private mutating func afterLoading(_ content: OutOfBandEnvelope.Content, _ event: Event) -> Next {
        guard case .device(let device) = event else { return finish(.failure(.ceremony(failure(of: event)))) }
        switch content {
        case .plain(let content): return redeem(content, among: [order.server] + device.servers, device)
        case .encrypted(let text):
            do throws(JOSEError) {
                let token = try CompactJWE(parsing: text)
                let servers = device.servers(thatOpen: token.keyID)
                guard !servers.isEmpty else { return finish(.failure(.undecryptable(nil))) }
                return enter(.opening(device), .open(token, servers))
            } catch {
                return finish(.failure(.undecryptable(error)))
            }
        }
    }

    private mutating func afterOpening(_ device: DeviceSnapshot, _ event: Event) -> Next {
        guard case .opened(let plaintext, let server) = event else {
            if case .failed(.device(let cause as JOSEError)) = event { return finish(.failure(.undecryptable(cause))) }
            return finish(.failure(.ceremony(failure(of: event))))
        }
        do throws(BackendAPIError) {
            // Only the server that the key is for may send this device anywhere, and only to itself.
            return redeem(try OutOfBandContent(body: plaintext), among: [server], device)
        } catch {
            return finish(.failure(.malformed(error)))
        }
    }

    private mutating func redeem(
        _ content: OutOfBandContent, among servers: [ServerAddress], _ device: DeviceSnapshot
    ) -> Next {
        guard let address = RedeemAddress(content.redeemURL, among: servers) else {
            return finish(.failure(.malformed(UnknownServerError())))
        }
        let target = RedeemTarget(url: address.url)
        let redeeming = Redeeming(content: content, target: target, server: address.server, device: device)
        return enter(.redeeming(redeeming), .redeem(token: content.token, target))
    }

    private mutating func afterRedeeming(_ redeeming: Redeeming, _ event: Event) -> Next {
        guard case .request(let answer) = event else { return finish(.failure(.ceremony(failure(of: event)))) }
        switch answer {
        case .request(.deregistration(let request), _):
            return enter(.checkingFacet(request, redeeming), .checkFacet(request.header))
        case .request(let request, let expiry):
            let redemption = OutOfBandRedemption(
                request: request, expiry: expiry, server: redeeming.server, linking: redeeming.content.channelLinking)
            return finish(.success(.begun(redemption)))
        // The server had nothing left of what was to go; which of our keys were meant it cannot say any more.
        case .nothingToDo where redeeming.target.names(.deregistration): return finish(.success(.deregistered))
        case .refused(.fido(_, cause: let status as ServerStatus)) where status == .requestTimeout:
            return finish(.failure(.tokenExpired(status)))
        case .refused(.fido(_, cause: let status as ServerStatus)) where status == .requestInvalid:
            return finish(.failure(.alreadyRedeemed(status)))
        case .nothingToDo, .refused, .unreachable: return finish(.failure(.ceremony(answer.failure)))
        }
    }

    // MARK: - Deregistration

    private mutating func afterFacet(
        _ request: DeregistrationRequest, _ redeeming: Redeeming, _ event: Event
    ) -> Next {
        guard case .facet(let verdict) = event else { return finish(.failure(.ceremony(failure(of: event)))) }
        guard case .trusted(let facet) = verdict else { return finish(.failure(.ceremony(verdict.failure))) }
        let scope = redeeming.device.scope(at: redeeming.server)
        return enter(.removing, .remove(scope.keysToForget(request, by: facet, for: nil)))
    }

    private mutating func afterRemoval(_ event: Event) -> Next {
        if case .done = event { return finish(.success(.deregistered)) }
        return finish(.failure(.ceremony(failure(of: event))))
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

    private mutating func finish(_ result: Result<OutOfBandOutcome, OutOfBandFailure>) -> Next {
        state = .finished(result)
        return .finish(result)
    }
}

import BackendAPI
import JOSE
import UAF
import UAFClient

/// State machine of the redemption of a token: open the payload, use no server but a known one, take the request.
///
/// The address says which kind of operation it is before anything is sent, and no other kind is taken for it
/// afterwards. A deregistration is over for the server when its token is redeemed, and the keys that it names go here
/// at once (FIDO UAF Protocol 1.1 section 3.6.4): the user is asked before
/// (`docs/decisions/0014-deregistration-out-of-band.md`).
struct OutOfBandMachine: OperationMachine, ~Copyable {
    private typealias Next = Step<Effect, OutOfBandOutcome, OutOfBandFailure>

    /// Parameters of the operation, as the application has set them.
    struct Parameters: Sendable {
        var content: OutOfBandEnvelope.Content?
        /// The configured server.
        var server: ServerAddress
        /// Further addresses whose origin stands for that of the configured server.
        var redeemOrigins: [ServerAddress] = []
        /// Kinds of operation without a handler, with what is missing; they are not redeemed.
        var unhandled: [OperationKind: UnhandledOperationError] = [:]

        init(server: ServerAddress) { self.server = server }
    }

    enum Effect: OperationEffect {
        case loadDevice
        /// Tries the keys for these servers, in this order.
        case open(CompactJWE, [ServerAddress])
        /// Asks the user whether keys may be removed.
        case confirm(DeregistrationConfirmationQuestion)
        case redeem(token: String, RedeemTarget)
        case checkFacet(OperationHeader)
        case remove([CredentialID])

        /// True for the removal of keys: those that the server has deleted are useless here, even after a cancellation.
        var outlivesCancellation: Bool {
            switch self {
            case .checkFacet, .remove: true
            case .loadDevice, .open, .confirm, .redeem: false
            }
        }
    }

    enum Event: Sendable {
        case device(DeviceSnapshot)
        /// The plaintext, and the server whose key opened it.
        case opened([UInt8], ServerAddress)
        /// Decision of the user on the removal of keys.
        case consent(UserAnswer<Void>)
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

    /// Redemption in progress: content, address, kind of operation, and the keys within reach.
    private struct Redeeming {
        let content: OutOfBandContent
        let target: RedeemTarget
        let operation: OperationKind
        /// The user for whose record of this device the payload was sealed.
        let addressee: UserName?
        /// Keys and records that the server may reach.
        let scope: ServerScope
    }

    private enum State {
        /// Before `start`.
        case idle
        /// The keys of the device are being read.
        case loading(OutOfBandEnvelope.Content)
        /// The payload is being decrypted.
        case opening(DeviceSnapshot, keyID: String?)
        /// The user is being asked whether keys may be removed; nothing was sent yet.
        case confirming(Redeeming)
        /// The server has been asked for the request.
        case redeeming(Redeeming)
        /// The server has deleted keys; the facet list of its request is being checked.
        case checkingFacet(DeregistrationRequest, Redeeming)
        /// The keys are being deleted here.
        case removing
        /// The end.
        case finished(Result<OutOfBandOutcome, OutOfBandFailure>)
    }

    private let parameters: Parameters
    private var state = State.idle

    init(_ parameters: Parameters) { self.parameters = parameters }

    mutating func start() -> Step<Effect, OutOfBandOutcome, OutOfBandFailure> {
        guard case .idle = state else { return resume(.canceled) }
        guard let content = parameters.content else {
            return finish(.failure(.ceremony(.wrongUse(MissingParameterError("payload")))))
        }
        return enter(.loading(content), .loadDevice)
    }

    mutating func resume(_ event: Event) -> Step<Effect, OutOfBandOutcome, OutOfBandFailure> {
        switch state {
        case .idle: finish(.failure(.ceremony(failure(of: event))))
        case .loading(let content): afterLoading(content, event)
        case .opening(let device, let keyID): afterOpening(device, keyID, event)
        case .confirming(let redeeming): afterConfirming(redeeming, event)
        case .redeeming(let redeeming): afterRedeeming(redeeming, event)
        case .checkingFacet(let request, let redeeming): afterFacet(request, redeeming, event)
        case .removing: afterRemoval(event)
        case .finished(let result): .finish(result)
        }
    }

    private mutating func afterLoading(_ content: OutOfBandEnvelope.Content, _ event: Event) -> Next {
        guard case .device(let device) = event else { return finish(.failure(.ceremony(failure(of: event)))) }
        switch content {
        case .plain(let content): return redeem(content, for: nil, among: [parameters.server] + device.servers, device)
        case .encrypted(let text):
            do throws(JOSEError) {
                let token = try CompactJWE(parsing: text)
                let servers = device.servers(thatOpen: token.keyID)
                guard !servers.isEmpty else { return finish(.failure(.undecryptable(nil))) }
                return enter(.opening(device, keyID: token.keyID), .open(token, servers))
            } catch {
                return finish(.failure(.undecryptable(error)))
            }
        }
    }

    private mutating func afterOpening(_ device: DeviceSnapshot, _ keyID: String?, _ event: Event) -> Next {
        guard case .opened(let plaintext, let server) = event else {
            if case .failed(.device(let cause as JOSEError)) = event { return finish(.failure(.undecryptable(cause))) }
            return finish(.failure(.ceremony(failure(of: event))))
        }
        do throws(BackendAPIError) {
            // Only the server that the key is for may direct this device to an address, and only to its own.
            let record = keyID.flatMap { keyID in device.targets(at: server).first { $0.isRecord(keyID) } }
            return redeem(try OutOfBandContent(body: plaintext), for: record?.username, among: [server], device)
        } catch {
            return finish(.failure(.malformed(error)))
        }
    }

    private mutating func redeem(
        _ content: OutOfBandContent, for addressee: UserName?, among servers: [ServerAddress], _ device: DeviceSnapshot
    ) -> Next {
        let text = content.redeemURL
        let isConfigured = servers.contains(parameters.server)
        guard
            let address = RedeemAddress(text, among: servers)
                ?? (isConfigured ? RedeemAddress(text, at: parameters.redeemOrigins, of: parameters.server) : nil)
        else { return finish(.failure(.malformed(UnknownServerError()))) }
        let target = RedeemTarget(url: address.url)
        guard let operation = target.operation else {
            return finish(.failure(.unhandled(UnhandledOperationError(handler: nil))))
        }
        if let error = parameters.unhandled[operation] { return finish(.failure(.unhandled(error))) }
        let redeeming = Redeeming(
            content: content, target: target, operation: operation, addressee: addressee,
            scope: device.scope(at: address.server))
        return operation == .deregistration ? confirm(redeeming) : send(redeeming)
    }

    private mutating func send(_ redeeming: Redeeming) -> Next {
        enter(.redeeming(redeeming), .redeem(token: redeeming.content.token, redeeming.target))
    }

    private mutating func afterRedeeming(_ redeeming: Redeeming, _ event: Event) -> Next {
        guard case .request(let answer) = event else { return finish(.failure(.ceremony(failure(of: event)))) }
        if case .request(let request, _) = answer, request.header.operation != redeeming.operation {
            return finish(.failure(.malformed(UnhandledOperationError(handler: nil))))
        }
        switch answer {
        case .request(.deregistration(let request), _):
            return enter(.checkingFacet(request, redeeming), .checkFacet(request.header))
        case .request(let request, let expiry):
            let redemption = OutOfBandRedemption(
                request: request, expiry: expiry, server: redeeming.scope.server,
                linking: redeeming.content.channelLinking)
            return finish(.success(.begun(redemption)))
        // The server had nothing left of what was to go; which of our keys were meant it cannot say any more.
        case .nothingToDo where redeeming.operation == .deregistration: return finish(.success(.deregistered))
        case .refused(.fido(_, cause: let status as ServerStatus)) where status == .requestTimeout:
            return finish(.failure(.tokenExpired(status)))
        case .refused(.fido(_, cause: let status as ServerStatus)) where status == .requestInvalid:
            return finish(.failure(.alreadyRedeemed(status)))
        case .nothingToDo, .refused, .unreachable: return finish(.failure(.ceremony(answer.failure)))
        }
    }

    // MARK: - Deregistration

    private mutating func confirm(_ redeeming: Redeeming) -> Next {
        var seen: Set<UserName> = []
        let usernames = redeeming.scope.visibleKeys.map(\.username).filter { seen.insert($0).inserted }
        let question = DeregistrationConfirmationQuestion(
            server: redeeming.scope.server, addressee: redeeming.addressee, usernames: usernames,
            limit: QuestionLimit(expiry: nil))
        return enter(.confirming(redeeming), .confirm(question))
    }

    private mutating func afterConfirming(_ redeeming: Redeeming, _ event: Event) -> Next {
        switch event {
        case .consent(.given): send(redeeming)
        case .consent(.canceled): finish(.failure(.ceremony(.canceled)))
        case .consent(.denied): finish(.failure(.ceremony(.denied)))
        case .consent(.timedOut): finish(.failure(.ceremony(.fido(.userNotResponsive))))
        default: finish(.failure(.ceremony(failure(of: event))))
        }
    }

    private mutating func afterFacet(
        _ request: DeregistrationRequest, _ redeeming: Redeeming, _ event: Event
    ) -> Next {
        guard case .facet(let verdict) = event else { return finish(.failure(.ceremony(failure(of: event)))) }
        guard case .trusted(let facet) = verdict else { return finish(.failure(.ceremony(verdict.failure))) }
        return enter(.removing, .remove(redeeming.scope.keysToForget(request, by: facet, for: redeeming.addressee)))
    }

    private mutating func afterRemoval(_ event: Event) -> Next {
        if case .done = event { return finish(.success(.deregistered)) }
        return finish(.failure(.ceremony(failure(of: event))))
    }

    /// Failure for an event that does not advance the machine.
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

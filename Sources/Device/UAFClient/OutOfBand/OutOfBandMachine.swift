import BackendAPI
import UAF

/// State machine of the redemption of a token: open the payload, use no server but a known one, take the request.
///
/// The address says which kind of operation it is before anything is sent, and no other kind is taken for it
/// afterwards. A deregistration is over for the server when its token is redeemed, and the keys that it names go here
/// at once (FIDO UAF Protocol 1.1 section 3.6.4): the user is asked before
/// (`docs/decisions/0014-deregistration-out-of-band.md`).
package struct OutOfBandMachine<Values: CarriedValues>: OperationMachine, ~Copyable {
    private typealias Next = Step<Effect, OutOfBandOutcome, OutOfBandFailure>

    /// Redemption in progress: content, address, kind of operation, and the keys within reach.
    private struct Redeeming {
        let content: OutOfBandContent
        let address: RedeemAddress<Values.Link>
        let operation: OperationKind
        /// The user for whose record of this device the payload was sealed.
        let addressee: UserName?
        let scope: ServerScope

        func redemption(_ expiry: Duration?) -> OutOfBandRedemption {
            OutOfBandRedemption(
                expiry: expiry, server: scope.server, linking: content.channelLinking.map { LinkingDemand($0) })
        }
    }

    private enum State {
        /// The keys of the device are being read.
        case loading(OutOfBandEnvelope.Content)
        /// The payload is being decrypted.
        case opening(DeviceSnapshot, keyID: String?)
        /// The user is being asked whether keys may be removed; nothing was sent yet.
        case confirming(Redeeming)
        case redeeming(Redeeming)
        /// The server has deleted keys; the facet list of its request is being checked.
        case checkingFacet(DeregistrationRequest, Redeeming)
        /// The keys are being deleted here.
        case removing
    }

    private let parameters: Parameters
    private var progress = Progress<State, Effect, OutOfBandOutcome, OutOfBandFailure>()

    package init(_ parameters: Parameters) { self.parameters = parameters }

    package mutating func start() -> Step<Effect, OutOfBandOutcome, OutOfBandFailure> {
        guard progress.isIdle else { return resume(.canceled) }
        guard let content = parameters.content else {
            return progress.fail(.ceremony(.wrongUse(CeremonyFault.missingParameter("payload"))))
        }
        return progress.enter(.loading(content), .loadDevice)
    }

    package mutating func resume(_ event: Event) -> Step<Effect, OutOfBandOutcome, OutOfBandFailure> {
        guard let state = progress.state else { return progress.stay(.ceremony(event.failure)) }
        return switch state {
        case .loading(let content): afterLoading(content, event)
        case .opening(let device, let keyID): afterOpening(device, keyID, event)
        case .confirming(let redeeming): afterConfirming(redeeming, event)
        case .redeeming(let redeeming): afterRedeeming(redeeming, event)
        case .checkingFacet(let request, let redeeming): afterFacet(request, redeeming, event)
        case .removing: afterRemoval(event)
        }
    }

    private mutating func afterLoading(_ content: OutOfBandEnvelope.Content, _ event: Event) -> Next {
        guard case .device(let device) = event else { return progress.fail(.ceremony(event.failure)) }
        switch content {
        case .plain(let content): return redeem(content, for: nil, among: [parameters.server] + device.servers, device)
        case .encrypted(let text):
            do throws(Values.Sealed.Refusal) {
                let message = try Values.Sealed(parsing: text)
                let servers = device.servers(thatOpen: message.keyID)
                guard !servers.isEmpty else { return progress.fail(.undecryptable(nil)) }
                return progress.enter(.opening(device, keyID: message.keyID), .open(message, servers))
            } catch {
                return progress.fail(.undecryptable(error))
            }
        }
    }

    private mutating func afterOpening(_ device: DeviceSnapshot, _ keyID: String?, _ event: Event) -> Next {
        guard case .opened(let plaintext, let server) = event else {
            if case .failed(.device(let cause as Values.Sealed.Refusal)) = event {
                return progress.fail(.undecryptable(cause))
            }
            return progress.fail(.ceremony(event.failure))
        }
        do throws(BackendAPIError) {
            // Only the server that the key is for may direct this device to an address, and only to its own.
            let record = keyID.flatMap { keyID in device.targets(at: server).first { $0.isRecord(keyID) } }
            return redeem(try OutOfBandContent(body: plaintext), for: record?.username, among: [server], device)
        } catch {
            return progress.fail(.malformed(error))
        }
    }

    private mutating func redeem(
        _ content: OutOfBandContent, for addressee: UserName?, among servers: [ServerAddress], _ device: DeviceSnapshot
    ) -> Next {
        let text = content.redeemURL
        let isConfigured = servers.contains(parameters.server)
        guard
            let address = RedeemAddress<Values.Link>(text, among: servers)
                ?? (isConfigured ? RedeemAddress(text, at: parameters.redeemOrigins, of: parameters.server) : nil)
        else { return progress.fail(.malformed(CeremonyFault.unknownServer)) }
        guard let operation = address.operation else { return progress.fail(.unhandled(.init(handler: nil))) }
        if let unhandled = parameters.unhandled[operation] { return progress.fail(.unhandled(unhandled)) }
        let redeeming = Redeeming(
            content: content, address: address, operation: operation, addressee: addressee,
            scope: device.scope(at: address.server))
        return operation == .deregistration ? confirm(redeeming) : send(redeeming)
    }

    private mutating func send(_ redeeming: Redeeming) -> Next {
        progress.enter(.redeeming(redeeming), .redeem(token: redeeming.content.token, redeeming.address))
    }

    private mutating func afterRedeeming(_ redeeming: Redeeming, _ event: Event) -> Next {
        guard case .request(let answer) = event else { return progress.fail(.ceremony(event.failure)) }
        if case .request(let request, _) = answer, request.header.operation != redeeming.operation {
            return progress.fail(.malformed(CeremonyFault.unhandledOperation))
        }
        switch answer {
        case .request(.deregistration(let request), _):
            return progress.enter(.checkingFacet(request, redeeming), .checkFacet(request.header))
        case .request(.registration(let request), let expiry):
            return progress.finish(.success(.registration(request, redeeming.redemption(expiry))))
        case .request(.authentication(let request), let expiry):
            return progress.finish(.success(.authentication(request, redeeming.redemption(expiry))))
        // The server had nothing left of what was to go; which of our keys were meant it cannot say any more.
        case .nothingToDo where redeeming.operation == .deregistration: return progress.finish(.success(.deregistered))
        case .refused(.fido(_, cause: let fault as CeremonyFault)) where fault == .refused(.requestTimeout):
            return progress.fail(.tokenExpired)
        case .refused(.fido(_, cause: let fault as CeremonyFault)) where fault == .refused(.requestInvalid):
            return progress.fail(.alreadyRedeemed)
        case .nothingToDo, .refused, .unreachable: return progress.fail(.ceremony(answer.failure))
        }
    }

    // MARK: - Deregistration

    private mutating func confirm(_ redeeming: Redeeming) -> Next {
        var seen: Set<UserName> = []
        let usernames = redeeming.scope.visibleKeys.map(\.username).filter { seen.insert($0).inserted }
        let question = DeregistrationConfirmationQuestion(
            server: redeeming.scope.server, addressee: redeeming.addressee, usernames: usernames,
            limit: QuestionLimit(expiry: nil))
        return progress.enter(.confirming(redeeming), .confirm(question))
    }

    private mutating func afterConfirming(_ redeeming: Redeeming, _ event: Event) -> Next {
        guard case .consent(.given) = event else { return progress.fail(.ceremony(event.failure)) }
        return send(redeeming)
    }

    private mutating func afterFacet(
        _ request: DeregistrationRequest, _ redeeming: Redeeming, _ event: Event
    ) -> Next {
        guard case .facet(let verdict) = event else { return progress.fail(.ceremony(event.failure)) }
        guard case .trusted(let facet) = verdict else { return progress.fail(.ceremony(verdict.failure)) }
        let named = redeeming.scope.keysToForget(request, by: facet, for: redeeming.addressee)
        return progress.enter(.removing, .remove(named))
    }

    private mutating func afterRemoval(_ event: Event) -> Next {
        if case .done = event { return progress.finish(.success(.deregistered)) }
        return progress.fail(.ceremony(event.failure))
    }
}

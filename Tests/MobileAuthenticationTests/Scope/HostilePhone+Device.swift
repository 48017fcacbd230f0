import BackendAPI
import Foundation
import UAF

@testable import MobileAuthentication
@testable import UAFClient

/// The operations in which every server is asked.
extension HostilePhone {
    private var refusal: DeviceRefusal {
        let error = HTTPStatusError(statusCode: pick([400, 401, 403, 404, 409]), body: [])
        return pick([
            .notAccepted(error), .forbidden(error), .unsupported(nil), .unknown(error), .nameInUse(error),
            .failed(.network(URLError(.timedOut))), .failed(.fido(.unknown)), .failed(.canceled),
        ])
    }

    /// A code of the server that speaks, to be redeemed there.
    var payload: OutOfBandEnvelope {
        let kind = pick(["registration", "authentication", "deregistration"])
        let url = speaker.url.absoluteString + "/token/redeem/" + kind
        return OutOfBandEnvelope(.plain(OutOfBandContent(token: "t", redeemURL: url)))
    }

    private var waiting: PendingOperations {
        let entries = (0..<int(3)).map { _ in
            PendingOperations.Entry(
                dispatchTargetID: pick(["record-0", "record-1", "x"]), creationTime: pick([0, .max, .min]),
                dispatcher: .link, additionalInformation: pick([nil, "{"]), payload: payload)
        }
        return PendingOperations(requestID: "r", entries: entries)
    }

    /// What the server that speaks answers; the quiet one agrees, and a silenced one is not heard.
    private func answer<Body>(_ body: Body?) -> DeviceAnswer<Body> {
        if isSilenced, isHostile { return .refused(.failed(.network(URLError(.timedOut)))) }
        guard let body else { return .refused(.unsupported(nil)) }
        return speaker != honest && !isHostile || !chance.oncePer(3) ? .done(body) : .refused(refusal)
    }

    func react(to effect: ServerFanOutMachine<PendingOperations>.Effect) -> ServerFanOutMachine<PendingOperations>.Event
    {
        switch effect {
        case .loadDevice: return .device(device)
        case .ask(let id, let signer):
            tell(signer.server, "asks what waits for \(id) by \(signer.identifier)")
            return .answer(answer(speaker == honest || isHostile ? waiting : nil))
        }
    }

    func react(to effect: ServerFanOutMachine<DeviceCredentials>.Effect) -> ServerFanOutMachine<DeviceCredentials>.Event
    {
        switch effect {
        case .loadDevice: return .device(device)
        case .ask(let id, let signer):
            tell(signer.server, "asks what is known of \(id) by \(signer.identifier)")
            return .answer(answer(speaker == honest || isHostile ? try? report(id) : nil))
        }
    }

    func react(to repair: DeviceRepair) -> DeviceRepairMachine.Event {
        switch repair {
        case .removeThere(let removal, let id, let signer):
            tell(signer.server, "removes at \(id) by \(signer.identifier): \(removal)")
            let answer = answer(())
            if case .done = answer { forgetDeparted(removal, at: signer.server) }
            return .answer(answer)
        case .changeThere(let target, let update):
            tell(target.server, "changes \(target.identifier): \(update)")
            return .answer(answer(()))
        case .removeHere(let ids, _): remove(ids)
        case .changeHere(let changes, _): change(changes)
        }
        return .answer(.done(()))
    }

    func react(to effect: DeviceInformationChangeMachine.Effect) -> DeviceInformationChangeMachine.Event {
        switch effect {
        case .loadDevice: return .device(device)
        case .change(let target, let update):
            tell(target.server, "changes \(target.identifier): \(update)")
            return .answer(answer(()))
        case .wait: return .done
        case .save(let changes):
            change(changes)
            return .done
        }
    }
}

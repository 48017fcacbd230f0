import BackendAPI
import Foundation
import UAF

@testable import MobileAuthentication
@testable import UAFClient

/// The operations in which every server is asked: one speaks as chance wants, the other is silent or agrees.
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
        let entries = (0..<Int.random(in: 0...3, using: &chance)).map { _ in
            PendingOperations.Entry(
                dispatchTargetID: pick(["record-0", "record-1", "x"]), creationTime: pick([0, .max, .min]),
                dispatcher: .link, additionalInformation: pick([nil, "{"]), payload: payload)
        }
        return PendingOperations(requestID: "r", entries: entries)
    }

    func react(to effect: ServerFanOutMachine<PendingOperations>.Effect) -> ServerFanOutMachine<PendingOperations>.Event
    {
        switch effect {
        case .loadDevice: .device(device)
        case .ask(_, let signer):
            .answer(signer.server != speaker || chance.oncePer(3) ? .refused(refusal) : .done(waiting))
        }
    }

    func react(to effect: DeviceInformationChangeMachine.Effect) -> DeviceInformationChangeMachine.Event {
        switch effect {
        case .loadDevice: return .device(device)
        case .change(let target, _):
            told.append(target)
            return .answer(target.server == speaker && chance.oncePer(2) ? .refused(refusal) : .done(()))
        case .wait: return .done
        case .save(let name, let push):
            change(DeviceRecordChange.changes(name, push))
            return .done
        }
    }
}

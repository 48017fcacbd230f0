import BackendAPI
import Foundation
import JOSE
import UAF

@testable import MobileAuthentication
@testable import UAFClient

extension ChaosWorld {
    private var address: String {
        fixtures.server.url.absoluteString + "/token/redeem/"
            + (chance.oncePer(2) ? "authentication" : "deregistration")
    }

    /// A payload of any kind.
    var content: OutOfBandEnvelope.Content? {
        if chance.oncePer(10) { return nil }
        if chance.oncePer(4) { return .encrypted("a.b.c.d.e") }
        let url = chance.oncePer(4) ? "https://elsewhere.example/token" : address
        return .plain(OutOfBandContent(token: "t", redeemURL: url))
    }

    func react(to effect: OutOfBandMachine<SDKValues>.Effect) -> OutOfBandMachine<SDKValues>.Event {
        if let fault { return .failed(fault) }
        switch effect {
        case .loadDevice: return .device(device)
        case .open: return .failed(.device(JOSEError.undecryptable))
        case .confirm: return .consent(chance.oncePer(2) ? .given(()) : pick([.canceled, .denied, .timedOut]))
        case .redeem:
            let header = OperationHeader(operation: .deregistration, appID: fixtures.facet.appID)
            let deregistration = DeregistrationRequest(header: header, authenticators: [.key(credential.id)])
            guard chance.oncePer(2) else { return .request(request(OperationRequest.deregistration(deregistration))) }
            return .request(
                request(OperationRequest.authentication(fixtures.authenticationRequest(naming: [credential]))))
        case .checkFacet: return .facet(facet)
        case .remove: return .done
        }
    }

    func react(to effect: DeviceInformationChangeMachine.Effect) -> DeviceInformationChangeMachine.Event {
        if let fault { return .failed(fault) }
        switch effect {
        case .loadDevice: return .device(device)
        case .change: return .answer(deviceAnswer(()))
        case .wait, .save: return .done
        }
    }

    func react(
        to effect: ServerFanOutMachine<DeviceCredentials>.Effect
    ) -> ServerFanOutMachine<DeviceCredentials>.Event {
        if let fault { return .failed(fault) }
        switch effect {
        case .loadDevice: return .device(device)
        case .ask(let id, _):
            return .answer(deviceAnswer(DeviceCredentials(requestID: "r", deviceID: id, accounts: [])))
        }
    }

    var repairs: [DeviceRepair] {
        [.removeHere([credential.id], fixtures.server), .changeHere([.name("x")], fixtures.server)]
            + device.targets.map { .changeThere($0, DispatchTargetUpdate(destination: .disabledByUser)) }
    }
}

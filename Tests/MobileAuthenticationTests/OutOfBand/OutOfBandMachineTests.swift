import BackendAPI
import Foundation
import JOSE
import Testing
import UAF

@testable import MobileAuthentication

@Suite("Redeeming a token, backend-http-api 2.5 to 2.7")
struct OutOfBandMachineTests {
    private let fixtures: Fixtures
    private let url = "https://server.example/nevisfido/token/redeem/authentication"

    init() throws { fixtures = try Fixtures() }

    private func machine(_ content: OutOfBandEnvelope.Content?) -> OutOfBandMachine {
        var order = OutOfBandMachine.Order(server: fixtures.server)
        order.content = content
        return OutOfBandMachine(order)
    }

    private var plain: OutOfBandEnvelope.Content { .plain(OutOfBandContent(token: "t", redeemURL: url)) }

    private func end(
        _ content: OutOfBandEnvelope.Content?, _ events: [OutOfBandMachine.Event]
    ) -> Result<OutOfBandOutcome, OutOfBandFailure>? {
        var machine = machine(content)
        var step = machine.start()
        for event in events { step = machine.resume(event) }
        if case .finish(let result) = step { return result }
        return nil
    }

    private var request: OperationRequest { .registration(fixtures.registrationRequest()) }

    private func deregistration(_ authenticator: DeregisterAuthenticator) -> DeregistrationRequest {
        DeregistrationRequest(
            header: OperationHeader(operation: .deregistration, appID: fixtures.facet.appID),
            authenticators: [authenticator])
    }

    @Test("A request comes with its server, its expiry and what links the screens")
    func success() throws {
        let linked = OutOfBandContent(token: "t", redeemURL: url, channelLinking: .typed(length: 3))
        let outcome = try end(
            .plain(linked), [.device(fixtures.device()), .request(.request(request, expiry: .seconds(9)))])?.get()
        guard case .begun(let redemption)? = outcome else {
            Issue.record("nothing begun")
            return
        }
        #expect(redemption.server == fixtures.server && redemption.expiry == .seconds(9))
        #expect(redemption.linking.map(LinkingDemand.init) == LinkingDemand(digitCount: 3))
    }

    @Test("Every event in every state ends or goes on, and the end stays")
    func everyEvent() throws {
        let events: [OutOfBandMachine.Event] = [
            .device(fixtures.device()), .opened([1], fixtures.server), .request(.request(request, expiry: nil)),
            .request(.nothingToDo), .request(.refused(.fido(.protocolError, cause: ServerStatus(1404)))),
            .request(.unreachable(CancellationError())), .failed(.noDeviceLock),
            .failed(.device(JOSEError.undecryptable)),
            .canceled,
        ]
        for content in [plain, .encrypted("x"), nil] {
            for first in events {
                for second in events {
                    var machine = machine(content)
                    _ = machine.start()
                    _ = machine.resume(first)
                    _ = machine.resume(second)
                    let third = machine.resume(.canceled)
                    guard case .finish(let end) = third, case .finish(let again) = machine.resume(.canceled) else {
                        Issue.record("no end after \(first), \(second)")
                        continue
                    }
                    #expect(String(describing: end) == String(describing: again))
                }
            }
        }
    }

    @Test(
        "The server's refusals have errors of their own",
        arguments: [(1408, "tokenExpired"), (1491, "alreadyRedeemed"), (1404, "ceremony"), (1400, "ceremony")])
    func refusals(status: Int, name: String) {
        let refusal = CeremonyFailure.fido(.protocolError, cause: ServerStatus(status))
        guard case .failure(let failure)? = end(plain, [.device(fixtures.device()), .request(.refused(refusal))]) else {
            Issue.record("no failure")
            return
        }
        #expect(String(describing: failure).hasPrefix(name))
    }

    @Test("A deregistration forgets the keys of that server and application which it names, and no others")
    func deregistration() throws {
        let named = try fixtures.credential()
        let request = deregistration(.everything)
        let elsewhere = LocalCredential(
            id: named.id, username: named.username,
            server: ServerAddress(try Fixtures.unwrap(URL(string: "https://other.example"))), appID: named.appID,
            state: .registered)
        let foreign = LocalCredential(
            id: named.id, username: named.username, server: named.server,
            appID: try Fixtures.unwrap(AppID("https://foreign.example")), state: .registered)
        for (held, gone) in [(named, [named.id]), (elsewhere, []), (foreign, [])] {
            var machine = machine(plain)
            _ = machine.start()
            _ = machine.resume(.device(fixtures.device([held])))
            guard case .perform(.checkFacet) = machine.resume(.request(.request(.deregistration(request), expiry: nil)))
            else {
                Issue.record("the facet was not checked")
                return
            }
            guard case .perform(.remove(let credentials)) = machine.resume(.facet(.trusted(fixtures.facet))) else {
                Issue.record("nothing was removed")
                return
            }
            #expect(credentials == gone)
            guard case .finish(.success(.deregistered)) = machine.resume(.done) else {
                Issue.record("no success")
                return
            }
        }
    }

    @Test("A deregistration by a server that may not speak for this application removes nothing")
    func untrustedDeregistration() throws {
        let request = deregistration(.everything)
        let end = end(
            plain,
            [
                .device(fixtures.device([try fixtures.credential()])),
                .request(.request(.deregistration(request), expiry: nil)), .facet(.untrusted(UntrustedFacetError())),
            ])
        guard case .failure(.ceremony(.fido(.untrustedFacetId, _)))? = end else {
            Issue.record("not refused")
            return
        }
    }

    @Test("A device without keys opens nothing, and a payload for another key is not tried")
    func keys() throws {
        let key = try DeviceServerKeysFixture.make(fixtures.server)
        let token = try CompactJWE.seal(Array("x".utf8), to: try DeviceKeySet(key).agreement, keyID: "other")
        for keys in [[], [key]] {
            let device = fixtures.device([try fixtures.credential()], keys: keys)
            guard case .failure(.undecryptable)? = end(.encrypted(token), [.device(device)]) else {
                Issue.record("not refused")
                return
            }
        }
        let named = try CompactJWE.seal(Array("x".utf8), to: try DeviceKeySet(key).agreement)
        var machine = machine(.encrypted(named))
        _ = machine.start()
        let step = machine.resume(.device(fixtures.device([try fixtures.credential()], keys: [key])))
        guard case .perform(.open(_, let servers)) = step else {
            Issue.record("not tried")
            return
        }
        #expect(servers == [fixtures.server])
    }

    @Test("What one server encrypted cannot send the device to another, even a known one")
    func sealedAddress() throws {
        let other = ServerAddress(try Fixtures.unwrap(URL(string: "https://other.example")))
        let key = try DeviceServerKeysFixture.make(other)
        let token = try CompactJWE.seal(Array("x".utf8), to: try DeviceKeySet(key).agreement)
        let device = fixtures.device([try fixtures.credential()], keys: [key])
        let plaintext = OutOfBandContent(token: "t", redeemURL: url).body
        guard case .failure(.malformed)? = end(.encrypted(token), [.device(device), .opened(plaintext, other)]) else {
            Issue.record("followed")
            return
        }
    }
}

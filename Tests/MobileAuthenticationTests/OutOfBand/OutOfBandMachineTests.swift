import BackendAPI
import Foundation
import JOSE
import Testing
import UAF

@testable import MobileAuthentication
@testable import UAFClient

@Suite("Redeeming a token, backend-http-api 2.5 to 2.7")
struct OutOfBandMachineTests {
    private let fixtures: Fixtures
    private static let redeem = "https://server.example/nevisfido/token/redeem/"
    private let url = redeem + "registration"
    private var deregistrationContent: OutOfBandEnvelope.Content {
        .plain(OutOfBandContent(token: "t", redeemURL: Self.redeem + "deregistration"))
    }

    init() throws { fixtures = try Fixtures() }

    private func machine(_ content: OutOfBandEnvelope.Content?) -> OutOfBandMachine {
        var parameters = OutOfBandMachine.Parameters(server: fixtures.server)
        parameters.content = content
        return OutOfBandMachine(parameters)
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
        guard case .registration(_, let redemption)? = outcome else {
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
            .request(.nothingToDo), .consent(.given(())), .consent(.canceled),
            .request(.refused(.fido(.protocolError, cause: ServerStatus(1404)))),
            .request(.unreachable(CancellationError())), .failed(.noDeviceLock),
            .failed(.device(JOSEError.undecryptable)),
            .canceled,
        ]
        for content in [plain, deregistrationContent, .encrypted("x"), nil] {
            for first in events {
                for second in events {
                    var machine = machine(content)
                    _ = machine.start()
                    _ = machine.resume(first)
                    _ = machine.resume(second)
                    // A removal that has begun is brought to its end.
                    _ = machine.resume(.done)
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
            var machine = machine(deregistrationContent)
            _ = machine.start()
            _ = machine.resume(.device(fixtures.device([held])))
            _ = machine.resume(.consent(.given(())))
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
            deregistrationContent,
            [
                .device(fixtures.device([try fixtures.credential()])), .consent(.given(())),
                .request(.request(.deregistration(request), expiry: nil)), .facet(.untrusted(UntrustedFacetError())),
            ])
        guard case .failure(.ceremony(.fido(.untrustedFacetID, _)))? = end else {
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

    // MARK: - Consent

    @Test("D-H5: a deregistration is redeemed after the user has agreed, and not otherwise")
    func consent() throws {
        let device = OutOfBandMachine.Event.device(fixtures.device([try fixtures.credential()]))
        for answer in [UserAnswer<Void>.given(()), .canceled, .denied, .timedOut] {
            var machine = machine(deregistrationContent)
            _ = machine.start()
            guard case .perform(.confirm(let question)) = machine.resume(device) else {
                Issue.record("the user was not asked")
                return
            }
            #expect(question.server == fixtures.server && question.usernames == [fixtures.username])
            switch (machine.resume(.consent(answer)), answer) {
            case (.perform(.redeem), .given), (.finish(.failure(.ceremony)), .canceled),
                (.finish(.failure(.ceremony)), .denied), (.finish(.failure(.ceremony)), .timedOut):
                break
            case (let step, _): Issue.record("\(answer) led to \(step)")
            }
        }
    }

    @Test("D-H5: no sequence of events redeems or removes for a deregistration without the user's yes")
    func noWayAround() throws {
        let request = deregistration(.everything)
        let palette: [OutOfBandMachine.Event] = [
            .device(fixtures.device([try fixtures.credential()])), .opened([1], fixtures.server),
            .consent(.canceled), .consent(.denied), .consent(.timedOut), .facet(.trusted(fixtures.facet)),
            .request(.request(.deregistration(request), expiry: nil)), .request(.nothingToDo), .done,
            .failed(.noDeviceLock), .canceled,
        ]
        let pairs = palette.flatMap { first in palette.map { [first, $0] } }
        let sequences = pairs.flatMap { pair in palette.map { pair + [$0] } }
        for content in [plain, deregistrationContent] {
            for effect in sequences.flatMap({ effects(content, $0) }) {
                switch effect {
                case .remove: Issue.record("keys were removed")
                case .redeem(_, let target): #expect(target.operation == .registration)
                default: break
                }
            }
        }
    }

    /// Everything that a machine asks for on its way through events.
    private func effects(
        _ content: OutOfBandEnvelope.Content, _ events: [OutOfBandMachine.Event]
    ) -> [OutOfBandMachine.Effect] {
        var machine = machine(content)
        var steps = [machine.start()]
        for event in events { steps.append(machine.resume(event)) }
        return steps.compactMap { if case .perform(let effect) = $0 { effect } else { nil } }
    }

    @Test("D-H5: an operation that nobody is there for, or of a kind that the address does not tell, is not redeemed")
    func unhandled() throws {
        let device = OutOfBandMachine.Event.device(fixtures.device([try fixtures.credential()]))
        let missing = UnhandledOperationError(handler: "onDeregistration")
        for (kind, expected) in [("deregistration", missing), ("else", UnhandledOperationError(handler: nil))] {
            var parameters = OutOfBandMachine.Parameters(server: fixtures.server)
            parameters.content = .plain(OutOfBandContent(token: "t", redeemURL: Self.redeem + kind))
            parameters.unhandled = [.deregistration: missing]
            var machine = OutOfBandMachine(parameters)
            _ = machine.start()
            guard case .finish(.failure(.unhandled(let error))) = machine.resume(device) else {
                Issue.record("\(kind) was redeemed")
                continue
            }
            #expect(error == expected)
        }
    }

    @Test("D-H5: another kind of operation than the address names is refused, and removes nothing")
    func otherKind() throws {
        let events: [OutOfBandMachine.Event] = [
            .device(fixtures.device([try fixtures.credential()])),
            .request(.request(.deregistration(deregistration(.everything)), expiry: nil)),
        ]
        guard case .failure(.malformed(let cause))? = end(plain, events) else {
            Issue.record("not refused")
            return
        }
        #expect(cause is UnhandledOperationError)
    }
}

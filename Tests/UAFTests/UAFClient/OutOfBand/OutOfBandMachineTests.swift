import BackendAPI
import Testing
import UAF

@testable import UAFClient

@Suite("Redeeming a token, backend-http-api 2.5 to 2.7")
struct OutOfBandMachineTests {
    private typealias Machine = OutOfBandMachine<PlainValues>

    private let phone: PlainPhone
    private static let redeem = "https://server.example/nevisfido/token/redeem/"
    private let url = redeem + "registration"
    private var deregistrationContent: OutOfBandEnvelope.Content {
        .plain(OutOfBandContent(token: "t", redeemURL: Self.redeem + "deregistration"))
    }

    init() throws { phone = try PlainPhone() }

    private func machine(_ content: OutOfBandEnvelope.Content?) -> Machine {
        var parameters = Machine.Parameters(server: phone.server)
        parameters.content = content
        return Machine(parameters)
    }

    private var plain: OutOfBandEnvelope.Content { .plain(OutOfBandContent(token: "t", redeemURL: url)) }

    private func end(
        _ content: OutOfBandEnvelope.Content?, _ events: [Machine.Event]
    ) -> Result<OutOfBandOutcome, OutOfBandFailure>? {
        var machine = machine(content)
        var step = machine.start()
        for event in events { step = machine.resume(event) }
        if case .finish(let result) = step { return result }
        return nil
    }

    private func request() throws -> OperationRequest { .registration(try phone.registrationRequest()) }

    @Test("A request comes with its server, its expiry and what links the screens")
    func success() throws {
        let linked = OutOfBandContent(token: "t", redeemURL: url, channelLinking: .typed(length: 3))
        let outcome = try end(
            .plain(linked), [.device(phone.device()), .request(.request(try request(), expiry: .seconds(9)))])?.get()
        guard case .registration(_, let redemption)? = outcome else {
            Issue.record("nothing begun")
            return
        }
        #expect(redemption.server == phone.server && redemption.expiry == .seconds(9))
        #expect(redemption.linking == LinkingDemand(digitCount: 3))
    }

    @Test("Every event in every state ends or goes on, and the end stays")
    func everyEvent() throws {
        let events: [Machine.Event] = [
            .device(phone.device(keys: [phone.deviceKeys(for: phone.server)])), .opened([1], phone.server),
            .request(.request(try request(), expiry: nil)),
            .request(.nothingToDo), .consent(.given(())), .consent(.canceled),
            .request(.refused(.fido(.protocolError, cause: CeremonyFault.refused(.notFound)))),
            .request(.unreachable(CancellationError())), .failed(.noDeviceLock),
            .failed(.device(PlainMessage.Refusal())), .canceled,
        ]
        for content in [plain, deregistrationContent, .encrypted("sealed"), .encrypted("x"), nil] {
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
    func refusals(status: UInt32, name: String) {
        let refusal = CeremonyFailure.fido(.protocolError, cause: CeremonyFault.refused(StatusCode(rawValue: status)))
        guard case .failure(let failure)? = end(plain, [.device(phone.device()), .request(.refused(refusal))]) else {
            Issue.record("no failure")
            return
        }
        let found =
            switch failure {
            case .tokenExpired: "tokenExpired"
            case .alreadyRedeemed: "alreadyRedeemed"
            case .ceremony: "ceremony"
            case .malformed, .undecryptable, .unhandled: "another one"
            }
        #expect(found == name)
    }

    @Test("A deregistration forgets the keys of that server and application which it names, and no others")
    func deregistration() throws {
        let named = try phone.credential()
        let request = phone.deregistrationRequest(.everything)
        let elsewhere = try phone.credential(server: phone.other)
        let foreign = try phone.credential(appID: AppID("https://foreign.example"))
        for (held, gone) in [(named, [named.id]), (elsewhere, []), (foreign, [])] {
            var machine = machine(deregistrationContent)
            _ = machine.start()
            _ = machine.resume(.device(phone.device([held])))
            _ = machine.resume(.consent(.given(())))
            guard case .perform(.checkFacet) = machine.resume(.request(.request(.deregistration(request), expiry: nil)))
            else {
                Issue.record("the facet was not checked")
                return
            }
            guard case .perform(.remove(let credentials)) = machine.resume(.facet(.trusted(phone.facet))) else {
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
        let request = phone.deregistrationRequest(.everything)
        let end = end(
            deregistrationContent,
            [
                .device(phone.device([try phone.credential()])), .consent(.given(())),
                .request(.request(.deregistration(request), expiry: nil)),
                .facet(.untrusted(CeremonyFault.foreignAppID)),
            ])
        guard case .failure(.ceremony(.fido(.untrustedFacetID, _)))? = end else {
            Issue.record("not refused")
            return
        }
    }

    @Test("A device without keys opens nothing, and a payload for another key is not tried")
    func keys() throws {
        for keys in [[], [phone.deviceKeys(for: phone.server, thumbprint: "one")]] {
            let device = phone.device([try phone.credential()], records: [("1", "jeff")], keys: keys)
            guard case .failure(.undecryptable)? = end(.encrypted("sealed to another"), [.device(device)]) else {
                Issue.record("not refused")
                return
            }
        }
    }

    @Test(
        "A payload is tried with the key that it names, by thumbprint or record, and with every key when it names none",
        arguments: [("sealed to one", [0]), ("sealed to 1", [0]), ("sealed to 3", [1]), ("sealed", [0, 1])])
    func hints(text: String, tried: [Int]) throws {
        let known = [phone.server, phone.other]
        let device = phone.device(
            [try phone.credential(), try phone.credential(2, username: UserName("bob"), server: phone.other)],
            records: [("1", "jeff"), ("3", "bob")],
            keys: [phone.deviceKeys(for: phone.server, thumbprint: "one"), phone.deviceKeys(for: phone.other)])
        var machine = machine(.encrypted(text))
        _ = machine.start()
        guard case .perform(.open(_, let servers)) = machine.resume(.device(device)) else {
            Issue.record("not tried")
            return
        }
        #expect(servers == tried.map { known[$0] })
    }

    @Test("A text that is no encrypted message, and one that no key opens, cannot be decrypted")
    func undecryptable() throws {
        let device = phone.device(
            [try phone.credential()], keys: [phone.deviceKeys(for: phone.server, thumbprint: "one")])
        let unopened: [Machine.Event] = [.device(device), .failed(.device(PlainMessage.Refusal()))]
        let unread: [Machine.Event] = [.device(device)]
        for (text, events) in [("in the clear", unread), ("sealed", unopened)] {
            guard case .failure(.undecryptable(let cause))? = end(.encrypted(text), events) else {
                Issue.record("\(text) was not refused")
                continue
            }
            #expect(cause is PlainMessage.Refusal)
        }
    }

    @Test("What one server encrypted cannot send the device to another, even a known one")
    func sealedAddress() throws {
        let device = phone.device([try phone.credential()], keys: [phone.deviceKeys(for: phone.other)])
        let plaintext = OutOfBandContent(token: "t", redeemURL: url).body
        let events: [Machine.Event] = [.device(device), .opened(plaintext, phone.other)]
        guard case .failure(.malformed(let cause))? = end(.encrypted("sealed"), events) else {
            Issue.record("followed")
            return
        }
        #expect(cause as? CeremonyFault == .unknownServer)
    }

    @Test("A sealed payload is redeemed at the server whose key opened it")
    func sealed() throws {
        let device = phone.device([try phone.credential()], keys: [phone.deviceKeys(for: phone.server)])
        var machine = machine(.encrypted("sealed"))
        _ = machine.start()
        _ = machine.resume(.device(device))
        let step = machine.resume(.opened(OutOfBandContent(token: "t", redeemURL: url).body, phone.server))
        guard case .perform(.redeem(token: "t", let address)) = step else {
            Issue.record("not redeemed")
            return
        }
        #expect(address.server == phone.server && address.link.address.text == url)
    }

    // MARK: - Consent

    @Test("D-H5: a deregistration is redeemed after the user has agreed, and not otherwise")
    func consent() throws {
        let device = Machine.Event.device(phone.device([try phone.credential()]))
        for answer in [UserAnswer<Void>.given(()), .canceled, .denied, .timedOut] {
            var machine = machine(deregistrationContent)
            _ = machine.start()
            guard case .perform(.confirm(let question)) = machine.resume(device) else {
                Issue.record("the user was not asked")
                return
            }
            #expect(question.server == phone.server && question.usernames == [phone.username])
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
        let request = phone.deregistrationRequest(.everything)
        let palette: [Machine.Event] = [
            .device(phone.device([try phone.credential()])), .opened([1], phone.server),
            .consent(.canceled), .consent(.denied), .consent(.timedOut), .facet(.trusted(phone.facet)),
            .request(.request(.deregistration(request), expiry: nil)), .request(.nothingToDo), .done,
            .failed(.noDeviceLock), .canceled,
        ]
        let pairs = palette.flatMap { first in palette.map { [first, $0] } }
        let sequences = pairs.flatMap { pair in palette.map { pair + [$0] } }
        for content in [plain, deregistrationContent] {
            for effect in sequences.flatMap({ effects(content, $0) }) {
                switch effect {
                case .remove: Issue.record("keys were removed")
                case .redeem(_, let address): #expect(address.operation == .registration)
                default: break
                }
            }
        }
    }

    /// Everything that a machine asks for on its way through events.
    private func effects(
        _ content: OutOfBandEnvelope.Content, _ events: [Machine.Event]
    ) -> [Machine.Effect] {
        var machine = machine(content)
        var steps = [machine.start()]
        for event in events { steps.append(machine.resume(event)) }
        return steps.compactMap { if case .perform(let effect) = $0 { effect } else { nil } }
    }

    @Test(
        "D-H5: an operation without a user who is there, or of a kind that the address does not tell, is not redeemed")
    func unhandled() throws {
        let device = Machine.Event.device(phone.device([try phone.credential()]))
        let missing = OutOfBandFailure.Unhandled(handler: "onDeregistration")
        for (kind, expected) in [("deregistration", missing), ("else", OutOfBandFailure.Unhandled(handler: nil))] {
            var parameters = Machine.Parameters(server: phone.server)
            parameters.content = .plain(OutOfBandContent(token: "t", redeemURL: Self.redeem + kind))
            parameters.unhandled = [.deregistration: missing]
            var machine = Machine(parameters)
            _ = machine.start()
            guard case .finish(.failure(.unhandled(let operation))) = machine.resume(device) else {
                Issue.record("\(kind) was redeemed")
                continue
            }
            #expect(operation == expected)
        }
    }

    @Test("D-H5: another kind of operation than the address names is refused, and removes nothing")
    func otherKind() throws {
        let events: [Machine.Event] = [
            .device(phone.device([try phone.credential()])),
            .request(.request(.deregistration(phone.deregistrationRequest(.everything)), expiry: nil)),
        ]
        guard case .failure(.malformed(let cause))? = end(plain, events) else {
            Issue.record("not refused")
            return
        }
        #expect(cause as? CeremonyFault == .unhandledOperation)
    }
}

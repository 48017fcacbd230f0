import Foundation
import TestSupport
import UAF

@testable import MobileAuthentication
@testable import UAFClient

/// A user, a server, a system and a device that do at each step whatever chance says.
final class ChaosWorld {
    let fixtures: Fixtures
    var chance: SeededGenerator
    var lock = LockModel()
    let credential: LocalCredential
    private let emptyDevice: DeviceSnapshot
    let device: DeviceSnapshot
    /// Times that an authenticator was asked while it was locked, or a user for what is locked.
    private(set) var questionsWhileLocked = 0

    init(seed: UInt64, _ kind: AuthenticatorAaid, _ fixtures: Fixtures) throws {
        self.fixtures = fixtures
        chance = SeededGenerator(seed: seed)
        let aaid: String =
            switch kind {
            case .Password: "F1D0#1005"
            case .Fingerprint: "F1D0#1002"
            default: "F1D0#1001"
            }
        credential = try fixtures.credential(aaid: AAID(aaid))
        emptyDevice = fixtures.device()
        device = fixtures.device(
            [credential],
            information: DeviceInformation(
                name: "phone", fcmRegistrationToken: "t", deviceId: "d",
                idUsernamePairs: [IdUsernamePair(identifier: "t1", username: "jeff")]))
        // Some devices begin with wrong attempts behind them.
        for _ in 0..<Int.random(in: 0...4, using: &chance) {
            _ = lock.enter("old mistake")
            lock.wait()
        }
    }

    func pick<Value>(_ values: [Value]) -> Value { values[Int.random(in: 0..<values.count, using: &chance)] }

    /// A failure of the device once in a while.
    var fault: CeremonyFailure? {
        guard chance.oncePer(25) else { return nil }
        return pick([
            .fido(.unknown), .fido(.keyDisappearedPermanently), .fido(.insufficientAuthenticatorResources),
            .device(MissingFixture()), .noDeviceLock,
        ])
    }

    private func answer<Value>(_ values: [Value]) -> UserAnswer<Value> {
        if chance.oncePer(12) { return .canceled }
        if chance.oncePer(12) { return .denied }
        if chance.oncePer(12) { return .timedOut }
        return .given(pick(values))
    }

    private var entries: [SecretBytes] {
        ["482915", "482915", "482915", "000000", "", "\u{1F600}"].map { SecretBytes($0) }
    }

    private func text(_ secret: SecretBytes) -> String {
        secret.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
    }

    private var verdict: ServerVerdict<any AuthorizationProvider> {
        pick([
            .accepted(nil), .accepted(nil), .accepted(nil, target: "t1"), .postponed,
            .refused(StatusCode(rawValue: 1498)),
            .rejected(.clockSkew(ClockSkewError(secondsAhead: 400))),
            .refused(.unknownKeyID), .unknown(URLError(.timedOut)), .unknown(CancellationError()),
        ])
    }

    private var refusal: PresenceRefusal { pick([.notRecognized, .notRecognized, .unconfirmed]) }

    var facet: FacetVerdict {
        chance.oncePer(15)
            ? pick([.untrusted(UntrustedFacetError()), .unreachable(URLError(.timedOut))]) : .trusted(fixtures.facet)
    }

    func request<Request>(_ request: Request) -> RequestAnswer<Request> {
        guard chance.oncePer(15) else { return .request(request, expiry: .seconds(300)) }
        return pick([.nothingToDo, .refused(.fido(.protocolError)), .unreachable(URLError(.timedOut))])
    }

    /// Time passes now and then.
    private func passTime() { if chance.oncePer(2) { lock.wait() } }

    /// What a server says to a request that the device signed.
    func deviceAnswer<Body>(_ body: Body) -> DeviceAnswer<Body> {
        guard chance.oncePer(3) else { return .done(body) }
        let error = HTTPStatusError(statusCode: 401, body: [])
        return .refused(
            pick([
                .notAccepted(error), .notAccepted(error), .forbidden(error),
                .clockSkew(ClockSkewError(secondsAhead: nil)),
                .unsupported(error), .unknown(error), .nameInUse(error), .failed(.network(URLError(.timedOut))),
                .failed(.canceled), .failed(.device(MissingFixture())),
            ]))
    }

    // MARK: - Registration

    func react(to effect: RegistrationMachine<SDKValues>.Effect) -> RegistrationMachine<SDKValues>.Event {
        if let fault { return .failed(fault) }
        switch effect {
        case .loadDevice: return .device(emptyDevice)
        case .fetchRequest:
            let aaids = ["F1D0#1001", "F1D0#1002", "F1D0#1005"].compactMap { AAID($0) }
            return .request(request(fixtures.registrationRequest(acceptingEachOf: aaids)))
        case .checkFacet: return .facet(facet)
        case .selectAuthenticator:
            return .choice(answer(["F1D0#1001", "F1D0#1001", "F1D0#1002", "F1D0#1002", "F1D0#1005", "F1D0#1003", ""]))
        case .enroll: return .secret(answer(entries))
        case .judge(_, let secret, _):
            return .judged(chance.oncePer(3) ? .refused(.malformedPin(digits: 6...6)) : .accepted(secret))
        case .confirmPresence: return .presence(answer([PresenceRequest()]))
        case .createKey(_, let consent, _):
            if case .presence = consent, chance.oncePer(2) { return .creation(.refused(refusal)) }
            return .creation(.made(CreatedKey(credential: credential.id, assertion: [1])))
        case .sendResponse: return .verdict(verdict)
        case .confirm, .introduce, .discard, .report: return .done
        }
    }

    // MARK: - Authentication

    func react(to effect: AuthenticationMachine<SDKValues>.Effect) -> AuthenticationMachine<SDKValues>.Event {
        if let fault { return .failed(fault) }
        switch effect {
        case .loadDevice: return .device(device)
        case .fetchRequest: return .request(request(fixtures.authenticationRequest(naming: [credential])))
        case .checkFacet: return .facet(facet)
        case .selectAccount: return .choice(answer(["jeff", "jeff", "jeff", "absent", ""]))
        case .selectAuthenticator:
            return .choice(answer([credential.id.aaid.text, credential.id.aaid.text, "F1D0#1003"]))
        case .linkChannel: return .choice(answer(["42", "42", "4", "x2", "17"]))
        case .readProtection: return .protection(lock.report)
        case .verify(let question):
            if lock.report == .lockedOut || question.protection == .lockedOut { questionsWhileLocked += 1 }
            passTime()
            return .secret(answer(entries))
        case .confirmPresence: return .presence(answer([PresenceRequest()]))
        case .sign(_, .secret(let secret), _):
            guard let refused = lock.enter(text(secret)) else { return .signature(.signed(assertion: [1])) }
            return .signature(.refused(refused.report))
        case .sign(_, .presence, _):
            return .signature(chance.oncePer(3) ? .signed(assertion: [1]) : .unconfirmed(refusal))
        case .sendResponse: return .verdict(verdict)
        case .promote, .wait, .markUnusable, .report: return .done
        }
    }

    // MARK: - Change

    func react(to effect: SecretChangeMachine<SDKValues>.Effect) -> SecretChangeMachine<SDKValues>.Event {
        if let fault { return .failed(fault) }
        switch effect {
        case .loadDevice: return .device(device)
        case .readProtection: return .protection(lock.report)
        case .ask(let question):
            if lock.report == .lockedOut || question.protection == .lockedOut { questionsWhileLocked += 1 }
            passTime()
            return .answer(answer(entries.flatMap { old in entries.map { OldAndNewSecret(old: old, new: $0) } }))
        case .unlock(_, let secrets):
            guard let refused = lock.enter(text(secrets.old)) else {
                return .unlocked(.opened(OpenedInMemory(secret: lock.secret)), new: secrets.new)
            }
            return .unlocked(
                refused.wasLookedAt ? .wrong(refused.report) : .ignored(refused.report), new: secrets.new)
        case .compare(let replacement):
            return .compared(replacement, isSame: text(replacement.new) == lock.secret)
        case .judge(let replacement, _):
            return .judged(chance.oncePer(3) ? .guessablePin : nil, replacement)
        case .replace(let replacement):
            lock.replace(with: text(replacement.new))
            return .done
        case .markUnusable: return .done
        }
    }

    // MARK: - Deregistration

    func react(to effect: DeregistrationMachine.Effect) -> DeregistrationMachine.Event {
        if let fault { return .failed(fault) }
        switch effect {
        case .loadDevice: return .device(device)
        case .fetchRequest:
            let header = OperationHeader(operation: .deregistration, appID: fixtures.facet.appID)
            return .request(
                request(DeregistrationRequest(header: header, authenticators: [.key(credential.id)])))
        case .checkFacet: return .facet(facet)
        case .removeThere: return .answer(deviceAnswer(()))
        case .remove: return .done
        }
    }
}

/// The proof of a right secret, for machines that never look inside.
private struct OpenedInMemory: OpenedSecret {
    let secret: String

    func isSame(as new: SecretBytes) async throws(CeremonyFailure) -> Bool {
        new.withUnsafeBytes { String(decoding: $0, as: UTF8.self) == secret }
    }

    func replace(with new: SecretBytes) async throws(CeremonyFailure) {}
}

import BackendAPI
import Foundation
import Testing
import UAF

@testable import MobileAuthentication
@testable import UAFClient

@Suite("Several servers and records: change, rounds, mismatches")
struct DeviceMachineTests {
    private let fixtures: Fixtures
    private let other: ServerAddress
    private let keys: [LocalCredential]

    init() throws {
        fixtures = try Fixtures()
        other = ServerAddress(try Fixtures.unwrap(URL(string: "https://other.example")))
        let anna = try fixtures.credential(2, username: try Fixtures.unwrap(UserName("anna")))
        let elsewhere = try fixtures.credential(3, username: try Fixtures.unwrap(UserName("bob")))
        keys = [
            try fixtures.credential(1), anna,
            LocalCredential(
                id: elsewhere.id, username: elsewhere.username, server: other, appID: elsewhere.appID,
                state: .registered),
        ]
    }

    private func device(_ pairs: [(String, String)]) -> DeviceSnapshot {
        fixtures.device(
            keys,
            information: DeviceInformation(
                name: "phone", fcmRegistrationToken: "t", deviceId: "d",
                idUsernamePairs: pairs.map { IdUsernamePair(identifier: $0.0, username: $0.1) }))
    }

    private var full: DeviceSnapshot { device([("1", "jeff"), ("2", "anna"), ("3", "bob")]) }

    private let status = HTTPStatusError(statusCode: 401, body: [])

    // MARK: - Change

    private func change(
        _ retries: RetryPolicy, _ answers: [DeviceAnswer<Void>]
    ) -> (effects: [DeviceInformationChangeMachine.Effect], result: Result<Void, DeviceChangeFailure>?) {
        var parameters = DeviceInformationChangeMachine.Parameters()
        parameters.name = "new"
        parameters.retries = RetrySchedule(retries)
        var machine = DeviceInformationChangeMachine(parameters)
        var effects: [DeviceInformationChangeMachine.Effect] = []
        var answers = answers
        var step = machine.start()
        while case .perform(let effect) = step {
            effects.append(effect)
            switch effect {
            case .loadDevice: step = machine.resume(.device(full))
            case .change: step = machine.resume(.answer(answers.isEmpty ? .done(()) : answers.removeFirst()))
            case .wait, .save: step = machine.resume(.done)
            }
        }
        guard case .finish(let result) = step else { return (effects, nil) }
        return (effects, result)
    }

    @Test("All records are asked after a failure, the first error counts; who has refused is remembered")
    func partialFailure() {
        let (effects, result) = change(.noRetry, [.refused(.nameInUse(status)), .refused(.unknown(status)), .done(())])
        guard case .failure(.nameInUse)? = result else {
            Issue.record("\(String(describing: result))")
            return
        }
        guard effects.count == 5, case .save(let changes) = effects[4] else {
            Issue.record("\(effects)")
            return
        }
        #expect(changes == [.refused(by: [fixtures.server], [.name("new")])])
    }

    @Test("Only what passes is tried again, as often as the policy says and for each record anew")
    func retries() {
        let down = DeviceAnswer<Void>.refused(.failed(.network(URLError(.timedOut))))
        let policy = RetryPolicy.constant(maxRetries: 1, delayInSeconds: 2)
        let (effects, result) = change(policy, [down, .done(()), down, down, .done(())])
        #expect(effects.count { if case .wait(.seconds(2)) = $0 { true } else { false } } == 2)
        guard case .failure(.ceremony(.network))? = result else {
            Issue.record("\(String(describing: result))")
            return
        }
        #expect(DeviceRefusal.failed(.network(HTTPStatusError(statusCode: 503, body: []))).isPassing)
        let final: [DeviceRefusal] = [
            .failed(.network(HTTPStatusError(statusCode: 400, body: []))), .failed(.network(InsecureAddressError())),
            .failed(.canceled), .notAccepted(status), .clockSkew(ClockSkewError(secondsAhead: 1)),
        ]
        #expect(final.allSatisfy { !$0.isPassing })
    }

    // MARK: - Rounds

    private func round(
        _ device: DeviceSnapshot, _ answer: (DeviceSnapshot.Target) -> DeviceAnswer<Int>
    ) -> (asked: [String], round: ServerFanOut<Int>?) {
        var machine = ServerFanOutMachine<Int>()
        var asked: [String] = []
        var step = machine.start()
        while case .perform(let effect) = step {
            switch effect {
            case .loadDevice: step = machine.resume(.device(device))
            case .ask(_, let signer):
                asked.append(signer.identifier)
                step = machine.resume(.answer(answer(signer)))
            }
        }
        guard case .finish(.success(let round)) = step else { return (asked, nil) }
        return (asked, round)
    }

    @Test("Every server is asked once; one that refuses does not keep the others from answering")
    func servers() {
        let (asked, round) = round(full) {
            $0.server == other ? .done(7) : .refused(.clockSkew(ClockSkewError(secondsAhead: 1)))
        }
        #expect(asked == ["1", "3"])
        #expect(round?.answers.map(\.body) == [7])
        #expect(round?.refusals.map(\.server) == [fixtures.server])
    }

    @Test("A record that is not accepted makes room for the next of the same server, then the server is named")
    func signers() {
        let (asked, second) = round(full) { $0.identifier == "1" ? .refused(.notAccepted(status)) : .done(1) }
        #expect(asked == ["1", "2", "3"])
        #expect(second?.refusals.isEmpty == true)
        let (_, none) = round(full) { _ in .refused(.notAccepted(status)) }
        #expect(none?.refusals.map(\.server) == [fixtures.server, other])
        let (unasked, without) = round(device([("1", "jeff")])) { _ in .done(1) }
        #expect(unasked == ["1"])
        guard case .unsupported(nil)? = without?.refusals.first?.refusal else {
            Issue.record("a server without a record was not named")
            return
        }
    }

    @Test("Without any account no question is asked")
    func noAccount() {
        let (asked, round) = round(fixtures.device()) { _ in .done(1) }
        #expect(asked.isEmpty && round?.answers.isEmpty == true && round?.refusals.isEmpty == true)
    }

    // MARK: - Mismatches

    @Test("Mismatches are equal when they say the same of the same server, and tell no token")
    func equality() throws {
        let here = RegisteredServer(baseUrl: fixtures.server.url)
        let there = RegisteredServer(baseUrl: other.url)
        let one = DeviceInformationMismatch.FcmRegistrationTokenMismatch(
            fcmRegistrationTokenInServer: "secret-token", fcmRegistrationTokenInMobileDevice: nil, server: here)
        let same = DeviceInformationMismatch.FcmRegistrationTokenMismatch(
            fcmRegistrationTokenInServer: "secret-token", fcmRegistrationTokenInMobileDevice: nil, server: here)
        let elsewhere = DeviceInformationMismatch.FcmRegistrationTokenMismatch(
            fcmRegistrationTokenInServer: "secret-token", fcmRegistrationTokenInMobileDevice: nil, server: there)
        #expect(one == same && one != elsewhere && Set([one, same, elsewhere]).count == 2)
        #expect(!"\(one)".contains("secret-token"))
    }

    @Test("A mismatch that the application hands back is the one that it was told")
    func roundTrip() {
        let link = DeviceRecord.Link(identifier: "1", username: "jeff")
        let mismatches: [DeviceMismatch] = [
            .credentialOnlyThere(keyID: "k", aaid: "F1D0#1001", other),
            .credentialOnlyHere(keyID: "k", aaid: "F1D0#1001", username: "jeff", other),
            .recordOnlyThere("1", other), .recordOnlyHere(link, other), .name(there: "a", here: "b", other),
            .pushToken(there: nil, here: "t", other), .pushToken(there: "t", here: nil, other),
        ]
        #expect(mismatches.map { DeviceInformationMismatch($0).named } == mismatches)
        #expect(Set(mismatches.map(DeviceInformationMismatch.init)).count == mismatches.count)
    }
}

import BackendAPI
import BackendTransport
import Linearizability
import ServerCore
import Synchronization
import TestSupport
import Testing
import UAF

/// Tokens of operations out of band, for which phones race; a new one in the session of a portal withdraws the last.
final class TokenSubject: HistorySubject {
    /// One for each client: a user has a few links pending at most.
    let users = ["asked0", "asked1", "asked2"]
    private let recorder = HistoryRecorder<SingleUseTokenModel>()
    /// The last token of each session, with its number.
    private let last = Mutex<[Int: Issued]>([:])
    /// IDs of the ceremonies, by the names of their tokens.
    private let ceremonies = Mutex<[String: String]>([:])

    /// Token of an operation, and its name in the history.
    private struct Issued: Sendable {
        let token: String
        let name: String
    }

    /// Begins an operation in the session of a client, while a phone may still redeem the token of the last one.
    func work(_ load: HistoryLoad, as client: Int, _ generator: inout SeededGenerator) async throws {
        let session = client % users.count
        let old = last.withLock { $0.removeValue(forKey: session) }
        let hasLatecomer = Int.random(in: 0..<2, using: &generator) == 0
        let issued = try await withThrowingTaskGroup(of: Void.self) { group in
            if hasLatecomer, let old {
                group.addTask { [self] in try await redeem(old, load, client + 1) }
            }
            let issued = try await dispatch(load, client, session, withdrawing: old)
            try await group.waitForAll()
            return issued
        }
        guard let issued else { return }
        last.withLock { $0[session] = issued }
        if let old { try await redeem(old, load, client) }
        // Half of the tokens are left for the next operation to withdraw.
        guard Int.random(in: 0..<2, using: &generator) == 0 else { return }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for phone in 0..<3 { group.addTask { [self] in try await redeem(issued, load, client + phone) } }
            try await group.waitForAll()
        }
    }

    /// Redeems the last token of each session twice.
    func settle(_ load: HistoryLoad) async throws {
        for (_, issued) in last.withLock({ $0 }) {
            for phone in 0..<2 { try await redeem(issued, load, phone) }
        }
    }

    func endUnanswered() { recorder.endUnanswered() }

    var report: LinearizabilityReport { recorder.report("token") { _ in SingleUseTokenModel() } }

    var claims: [AuditClaim] {
        let ceremonies = ceremonies.withLock { $0 }
        return recorder.recorded.compactMap { name, history in
            ceremonies[name].map { AuditClaim(.tokenRedeemed, about: $0, history, where: { $0 == .redeem }) }
        }
    }

    /// Begins an operation, which withdraws the token of the last one; nil when no answer came.
    private func dispatch(
        _ load: HistoryLoad, _ client: Int, _ session: Int, withdrawing old: Issued?
    ) async throws -> Issued? {
        let context = RegistrationContext(username: try username(users[session]))
        let request = DispatchRequest(
            GetUAFRequest(context), dispatcher: .link, initiatorSession: "session-\(session)")
        let start = recorder.now()
        let answer = await load.answer(
            .dispatchToken(.registration), request.body, key: Portal.accessKey, from: client)
        let isDone = answer?.status == 200 || answer?.status == 201
        if let old {
            recorder.note(.withdraw, on: old.name, by: "portal \(session)", from: start, isDone ? .accepted : nil)
        }
        guard let answer else { return nil }
        try #require(isDone, "the operation was refused with \(answer.status)")
        let dispatched = try DispatchAnswer(body: answer.body)
        let ceremony = try #require(dispatched.sessionID)
        let name = ceremonies.withLock { ceremonies in
            let name = "\(ceremonies.count + 1)"
            ceremonies[name] = ceremony
            return name
        }
        return Issued(token: try #require(dispatched.token), name: name)
    }

    private func redeem(_ issued: Issued, _ load: HistoryLoad, _ client: Int) async throws {
        try await recorder.perform(.redeem, on: issued.name, by: "phone \(client)") {
            let body = RedeemRequest(token: issued.token).body
            let answer = await load.answer(.redeemToken(.registration), body, from: client)
            guard let answer, answer.status == 200 else { return nil }
            return try ReturnUAFRequest(body: answer.body).statusCode.decision
        }
    }
}

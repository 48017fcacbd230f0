import BackendAPI
import ServerCore
import TestSupport
import Testing
import UAF
import UAFService

/// A database behind a network is as far away for one statement as for ten.
@Suite("A request of a sign-in visits the database twice at most: once to read, once to commit")
struct DatabaseTripTests {
    private let stage: OutOfBandStage
    private var server: TestServer { stage.server }

    init() async throws {
        stage = try await OutOfBandStage()
    }

    /// Visits that `body` makes.
    private func trips<Value>(_ body: () async throws -> Value) async throws -> (Value, reads: Int, commits: Int) {
        let (reads, commits) = (server.database.readCount, server.database.transactionCount)
        let value = try await body()
        return (value, server.database.readCount - reads, server.database.transactionCount - commits)
    }

    @Test(
        "In band, by name or for anyone, with and without a transaction to confirm",
        arguments: [("jeff", nil), ("jeff", "Pay 10 EUR"), (nil, nil), (nil, "Pay 10 EUR")] as [(String?, String?)])
    func inBand(name: String?, transaction: String?) async throws {
        let asked = try await trips { try await server.authenticationRequest(for: name, transaction: transaction) }
        #expect(asked.reads == (name == nil ? 0 : 1) && asked.commits == 0)
        let message = try server.client.answer(asked.0, with: [stage.phone])
        let answered = try await trips { await server.answerAuthentication(message) }
        #expect(answered.0.message.statusCode == .ok)
        // What the request has read serves the answer; without a name it has read nothing.
        #expect(answered.reads == (name == nil ? 1 : 0) && answered.commits == 1)
        let replayed = try await trips { await server.answerAuthentication(message) }
        #expect(replayed.0.message.statusCode == .requestInvalid)
        #expect(replayed.reads == 1 && replayed.commits == 1)
    }

    @Test("In band, with a signature of a foreign key")
    func refused() async throws {
        let request = try await server.authenticationRequest(for: "jeff")
        var stranger = try SyntheticAuthenticator()
        stranger.keyID = stage.phone.keyID
        let message = try server.client.answer(request, with: [stranger])
        let refused = try await trips { await server.answerAuthentication(message) }
        #expect(refused.0.message.statusCode != .ok)
        #expect(refused.reads == 0 && refused.commits == 1)
    }

    @Test("Out of band: the token, its redemption, the response, and the question for the status")
    func outOfBand() async throws {
        let context = GetUAFRequest(AuthenticationContext(username: try server.name("jeff")))
        let created = try await trips {
            try await server.services.outOfBand.createToken(
                context, for: .authentication, authorization: try TestServer.portal, client: ClientContext())
        }
        #expect(created.reads == 1 && created.commits == 1)
        let redeemed = try await trips { await server.redeem(created.0.token) }
        #expect(redeemed.0.statusCode == .ok)
        #expect(redeemed.reads == 1 && redeemed.commits == 1)
        let answered = try await trips { try await server.answer(redeemed.0, with: stage.phone) }
        #expect(answered.0.message.statusCode == .ok)
        #expect(answered.reads == 1 && answered.commits == 1)
        let asked = try await trips { try await server.status(created.0.sessionID) }
        #expect(asked.0.status == .succeeded)
        #expect(asked.reads == 1 && asked.commits == 0)
    }
}

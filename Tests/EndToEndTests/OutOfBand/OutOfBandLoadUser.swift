import BackendAPI
import TestSupport
import Testing
import UAF

/// A user who is asked out of band, one operation after the other, as long as the server answers; two phones race for
/// every token.
actor OutOfBandLoadUser: CrashUser {
    private static let root = "/nevisfido/uaf/1.1"
    /// Below the hundred that the server allows, with room for what is registered again after a crash.
    private static let phoneLimit = 40

    let name: String
    private let username: UserName
    private let client: SyntheticClient
    private let random: SeededRandom
    private var registered: [SyntheticAuthenticator] = []
    /// Every operation whose beginning was confirmed, in order.
    private(set) var flows: [OutOfBandFlow] = []

    init(_ name: String, seed: UInt64) throws {
        self.name = name
        username = try #require(UserName(name))
        client = SyntheticClient(facet: try #require(FacetID("ios:bundle-id:org.signet.demo")))
        random = SeededRandom(seed: seed)
    }

    /// How many of its operations succeeded.
    var acceptedCount: Int { flows.count(where: \.isAccepted) }
    /// Operations whose token was exchanged, as far as their phones have heard of it.
    var redeemedSessions: [String] { flows.filter { $0.redemptionCount > 0 }.map(\.sessionID) }

    // MARK: - What it does

    /// Goes through one operation after the other until an answer fails to come back.
    func work(_ server: LoadConnection) async throws {
        while try await goThrough(server) {}
    }

    /// Ends the operation in which the server died, as far as that can be, and goes through another one.
    func recover(_ server: LoadConnection) async throws {
        if let index = flows.indices.last, !flows[index].isAccepted {
            #expect(try await poll(index, server), "\(name): no answer")
            #expect(try await finish(index, server), "\(name): no answer")
        }
        #expect(try await goThrough(server), "\(name): no answer, though the server lives")
    }

    /// Asks for the status of every operation there ever was, and tries to redeem and answer each once more.
    func settle(_ server: LoadConnection) async throws {
        for index in flows.indices {
            #expect(try await poll(index, server), "\(name): no answer")
            if flows[index].redemptionCount > 0 {
                #expect(try await redeem(index, server), "\(name): no answer")
                #expect(try await deliver(index, server), "\(name): no answer")
            }
        }
    }

    /// One operation from beginning to end; false when an answer is missing.
    private func goThrough(_ server: LoadConnection) async throws -> Bool {
        guard let index = try await begin(server), try await poll(index, server) else { return false }
        guard try await finish(index, server) else { return false }
        #expect(flows[index].isAccepted, "\(name): an operation without an accident did not succeed")
        return true
    }

    /// The rest of an operation; what an unknown phone redeemed cannot be ended and is left.
    private func finish(_ index: Int, _ server: LoadConnection) async throws -> Bool {
        if flows[index].request == nil {
            guard try await redeem(index, server) else { return false }
            guard flows[index].request != nil else {
                #expect(flows[index].mayBeRedeemedUnheard, "\(name): a fresh token was refused")
                return try await poll(index, server)
            }
        }
        guard try await deliver(index, server) else { return false }
        return try await poll(index, server)
    }

    // MARK: - Steps

    /// Begins an operation; nil when the answer is missing.
    private func begin(_ server: LoadConnection) async throws -> Int? {
        let isRegistration = registered.isEmpty || registered.count < Self.phoneLimit && draw(4) == 0
        let operation: OperationKind = isRegistration ? .registration : .authentication
        let request =
            isRegistration
            ? GetUAFRequest(RegistrationContext(username: username))
            : GetUAFRequest(AuthenticationContext(username: username))
        for index in flows.indices { flows[index].isAbandoned = true }
        let made: (token: String?, session: String?)
        if draw(4) == 0 {
            let answer = await server.call(.createToken(operation), request.body, key: Portal.accessKey)
            guard let answer = try answer.map(CreatedToken.init(body:)) else { return nil }
            made = (answer.token, answer.sessionID)
        } else {
            let answer = await server.call(
                .dispatchToken(operation), DispatchRequest(request, dispatcher: .link).body, key: Portal.accessKey)
            guard let answer = try answer.map(DispatchAnswer.init(body:)) else { return nil }
            made = (answer.token, answer.sessionID)
        }
        flows.append(
            OutOfBandFlow(
                operation: operation, token: try #require(made.token), sessionID: try #require(made.session)))
        return flows.count - 1
    }

    /// Lets two phones redeem the token at the same time; false when an answer is missing.
    private func redeem(_ index: Int, _ server: LoadConnection) async throws -> Bool {
        let (body, operation) = (RedeemRequest(token: flows[index].token).body, flows[index].operation)
        let answers = try await withThrowingTaskGroup(of: ReturnUAFRequest?.self) { group in
            for _ in 0..<2 {
                group.addTask {
                    try await server.call(.redeemToken(operation), body).map(ReturnUAFRequest.init(body:))
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        let requests = answers.compactMap { $0?.uafRequest }
        flows[index].redemptionCount += requests.count
        #expect(flows[index].redemptionCount <= 1, "\(name): a token was redeemed twice")
        if let request = requests.first {
            flows[index].request = try OperationRequest(message: Array(request.utf8))
            flows[index].reach(.redeemed)
        }
        if answers.contains(where: { $0 == nil }) { flows[index].mayBeRedeemedUnheard = true }
        return !answers.contains { $0 == nil }
    }

    /// Sends the response, a quarter of them twice at the same time; false when a verdict is missing.
    private func deliver(_ index: Int, _ server: LoadConnection) async throws -> Bool {
        let isNew = flows[index].response == nil
        let response = try flows[index].response ?? response(to: try #require(flows[index].request))
        let copies = draw(4) == 0 ? 2 : 1
        let verdicts = try await withThrowingTaskGroup(of: StatusCode?.self) { group in
            for _ in 0..<copies { group.addTask { try await server.verdict(on: response) } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        flows[index].response = response
        try note(verdicts, on: index, isNew: isNew)
        return flows[index].isAccepted || !verdicts.contains(nil)
    }

    /// Draws the conclusions from what the server said to a response.
    private func note(_ verdicts: [StatusCode?], on index: Int, isNew: Bool) throws {
        var response = try #require(flows[index].response)
        let wasAccepted = response.acceptedCount > 0
        response.acceptedCount += verdicts.count { $0 == .ok }
        if !isNew, response.isOpen, response.acceptedCount == 0, !verdicts.contains(nil) {
            // A refusal says that the lost answer had accepted the response; the status has to say so, too.
            response.acceptedCount = 1
        }
        if response.acceptedCount > 0 || !verdicts.contains(nil) { response.isOpen = false }
        #expect(response.acceptedCount <= 1, "\(name): a response was accepted twice")
        #expect(response.isOpen || response.acceptedCount == 1, "\(name): a good response was refused")
        flows[index].response = response
        if response.acceptedCount > 0 { flows[index].reach(.ended) }
        if !wasAccepted, response.acceptedCount > 0, let phone = response.registering { registered.append(phone) }
    }

    /// Asks how far the operation is; false when the answer is missing.
    private func poll(_ index: Int, _ server: LoadConnection) async throws -> Bool {
        let asked = StatusRequest(sessionID: flows[index].sessionID)
        let answer = await server.call(.status, asked.body, key: Portal.accessKey)
        guard let status = try answer.map(SessionStatus.init(body:))?.status else { return false }
        let stage = try #require(OutOfBandFlow.Stage(status), "\(name): the server has forgotten an operation")
        #expect(stage >= flows[index].stage, "\(name): \(status.rawValue) after \(flows[index].stage)")
        flows[index].reach(stage)
        if flows[index].isAccepted {
            #expect(status == .succeeded, "\(name): a success that was confirmed is lost")
        } else if !flows[index].isAbandoned {
            #expect(status != .failed, "\(name): an operation that was not ended has failed")
        }
        return true
    }

    private func response(to request: OperationRequest) throws -> SentResponse {
        switch request {
        case .registration(let message):
            let phone = try SyntheticAuthenticator()
            return SentResponse(
                path: Self.root + "/registration", body: Self.body(try client.answer(message, with: [phone])),
                registering: phone)
        case .authentication(let message):
            let phone = registered[draw(registered.count)]
            return SentResponse(
                path: Self.root + "/authentication", body: Self.body(try client.answer(message, with: [phone])),
                registering: nil)
        case .deregistration: throw OtherRequest()
        }
    }

    /// The server asks for something that was not begun.
    private struct OtherRequest: Error {}

    private func draw(_ bound: Int) -> Int {
        random.bytes(count: 4).reduce(0) { $0 << 8 | Int($1) } % bound
    }

    private static func body(_ message: [UInt8]) -> [UInt8] {
        SendUAFResponse(uafResponse: String(decoding: message, as: UTF8.self)).body
    }
}

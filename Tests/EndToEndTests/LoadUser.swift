import BackendAPI
import TestSupport
import Testing
import UAF

/// A user with many phones, who registers, authenticates and replays as long as the server answers.
actor LoadUser: CrashUser {
    private static let root = "/nevisfido/uaf/1.1"
    /// Below the hundred that the server allows, with room for what is registered again after a crash.
    private static let phoneLimit = 40

    let name: String
    private let client: SyntheticClient
    private let random: SeededRandom
    private var registered: [SyntheticAuthenticator] = []
    private var unproven: [SyntheticAuthenticator] = []
    private var sent: [SentResponse] = []

    init(_ name: String, seed: UInt64) throws {
        self.name = name
        client = SyntheticClient(facet: try #require(FacetID("ios:bundle-id:org.signet.demo")))
        random = SeededRandom(seed: seed)
    }

    /// How many of its responses were accepted.
    var acceptedCount: Int { sent.reduce(0) { $0 + $1.acceptedCount } }

    // MARK: - What it does

    /// Registers the first phone.
    func begin(_ server: LoadConnection) async throws {
        #expect(try await register(server), "\(name): no answer")
    }

    /// Works until an answer fails to come back.
    func work(_ server: LoadConnection) async throws {
        while try await step(server) {}
    }

    /// Sends again what got no verdict before the server died, registers anew where that was a registration, and
    /// authenticates with every phone registered since the last time.
    func recover(_ server: LoadConnection) async throws {
        for index in sent.indices where sent[index].isOpen {
            #expect(try await deliver(index, server), "\(name): no answer")
            let phone = sent[index].registering
            if sent[index].acceptedCount == 0 {
                // A refusal says that the lost answer had accepted the response; so the credential must be there.
                sent[index].acceptedCount = 1
                if let phone { note(phone) }
            }
            if phone != nil { #expect(try await register(server), "\(name): no answer") }
        }
        for phone in unproven { #expect(try await authenticate(phone, server), "\(name): no answer") }
        unproven = []
    }

    /// Authenticates with every phone and replays every response there ever was.
    func settle(_ server: LoadConnection) async throws {
        for phone in registered { #expect(try await authenticate(phone, server), "\(name): no answer") }
        for index in sent.indices { #expect(try await deliver(index, server), "\(name): no answer") }
    }

    /// Authenticates with every phone.
    func prove(_ server: LoadConnection) async throws {
        for phone in registered { #expect(try await authenticate(phone, server), "\(name): no answer") }
    }

    private func step(_ server: LoadConnection) async throws -> Bool {
        let choice = draw(4)
        if registered.isEmpty || choice == 0 && registered.count < Self.phoneLimit {
            return try await register(server)
        }
        if choice == 1 { return try await deliver(draw(sent.count), server) }
        return try await authenticate(registered[draw(registered.count)], server)
    }

    // MARK: - Ceremonies

    private func register(_ server: LoadConnection) async throws -> Bool {
        guard case .registration(let request)? = try await request("registration", "Reg", server) else { return false }
        let phone = try SyntheticAuthenticator()
        return try await send(
            SentResponse(
                path: Self.root + "/registration", body: Self.body(try client.answer(request, with: [phone])),
                registering: phone), server)
    }

    private func authenticate(_ phone: SyntheticAuthenticator, _ server: LoadConnection) async throws -> Bool {
        guard case .authentication(let request)? = try await request("authentication", "Auth", server)
        else { return false }
        return try await send(
            SentResponse(
                path: Self.root + "/authentication", body: Self.body(try client.answer(request, with: [phone])),
                registering: nil), server)
    }

    private func request(
        _ kind: String, _ operation: String, _ server: LoadConnection
    ) async throws -> OperationRequest? {
        let asked = #"{"op":"\#(operation)","context":"{\"username\":\"\#(name)\"}"}"#
        guard let answer = await server.post("\(Self.root)/request/\(kind)", Array(asked.utf8)) else { return nil }
        let message = try #require(try ReturnUAFRequest(body: answer).uafRequest, "\(kind) was not offered")
        return try OperationRequest(message: Array(message.utf8))
    }

    /// Sends a new response, a quarter of them twice at the same time; false when a verdict is missing.
    private func send(_ response: SentResponse, _ server: LoadConnection) async throws -> Bool {
        sent.append(response)
        let index = sent.count - 1
        let isAnswered = try await deliver(index, atOnce: draw(4) == 0 ? 2 : 1, server)
        if isAnswered {
            #expect(sent[index].acceptedCount == 1, "a good response was refused: \(sent[index].refusals)")
        }
        return isAnswered
    }

    /// Sends a response, new or not; false when a verdict is missing.
    private func deliver(_ index: Int, atOnce copies: Int = 1, _ server: LoadConnection) async throws -> Bool {
        let response = sent[index]
        let verdicts = try await withThrowingTaskGroup(of: StatusCode?.self) { group in
            for _ in 0..<copies { group.addTask { try await server.verdict(on: response) } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        let accepted = verdicts.count { $0 == .ok }
        sent[index].refusals += verdicts.compactMap { $0 == .ok ? nil : $0 }
        sent[index].acceptedCount += accepted
        #expect(sent[index].acceptedCount <= 1, "\(name): a response was accepted twice")
        if accepted > 0 || !verdicts.contains(nil) { sent[index].isOpen = false }
        if accepted > 0, response.acceptedCount == 0, let phone = response.registering { note(phone) }
        return !verdicts.contains(nil)
    }

    private func note(_ phone: SyntheticAuthenticator) {
        registered.append(phone)
        unproven.append(phone)
    }

    private func draw(_ bound: Int) -> Int {
        random.bytes(count: 4).reduce(0) { $0 << 8 | Int($1) } % bound
    }

    private static func body(_ message: [UInt8]) -> [UInt8] {
        SendUAFResponse(uafResponse: String(decoding: message, as: UTF8.self)).body
    }
}

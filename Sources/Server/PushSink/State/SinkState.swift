import Crypto
import Octets
import ServerCore

/// Everything that the sink remembers while it runs.
actor SinkState {
    /// The most phones, sightings and access tokens that are kept.
    private static let limit = 10_000
    /// Lifetime of an access token, the same as at the real service.
    static let tokenLifetime: Duration = .seconds(3_599)

    private let clock: any WallClock
    private let random: any RandomSource
    private let projectID: String
    private var devices: [String: SinkDevice] = [:]
    private var behaviours: [SinkBehaviour] = []
    private var accessTokens: [SHA256Digest: Timestamp] = [:]
    private var seen: [Sighting] = []
    private var bells: [String: Bell] = [:]

    init(projectID: String, clock: any WallClock, random: any RandomSource) {
        self.projectID = projectID
        self.clock = clock
        self.random = random
    }

    // MARK: - Access tokens

    func issueAccessToken() -> String {
        let token = "ya29.sink-" + Base64URL.encode(random.bytes(count: 32))
        let now = clock.now()
        accessTokens = accessTokens.filter { $0.value > now }
        accessTokens[SHA256.hash(data: Array(token.utf8))] = now + Self.tokenLifetime
        return token
    }

    func takes(_ token: String) -> Bool {
        guard let end = accessTokens[SHA256.hash(data: Array(token.utf8))] else { return false }
        return end > clock.now()
    }

    func revokeAccessTokens() { accessTokens = [:] }

    // MARK: - Phones

    /// Registers a phone; nil when there are too many.
    func register() -> String? {
        guard devices.count < Self.limit else { return nil }
        let token = Base64URL.encode(random.bytes(count: 12)) + ":" + Base64URL.encode(random.bytes(count: 48))
        devices[token] = SinkDevice()
        return token
    }

    func unregister(_ token: String) {
        devices[token] = nil
        bells.removeValue(forKey: token)?.ring()
    }

    func knows(_ token: String) -> Bool { devices[token] != nil }

    /// The messages of a phone behind a number; nil for a phone that is not registered.
    func messages(for token: String, after number: Int) -> [SinkDevice.Waiting]? {
        devices[token]?.messages(after: number, at: clock.now())
    }

    /// Bell that rings when the next message for a phone comes, or when the phone asks again.
    func bell(for token: String) -> Bell {
        let bell = Bell()
        bells.updateValue(bell, forKey: token)?.ring()
        return bell
    }

    // MARK: - Messages

    func nextBehaviour(for token: String) -> SinkBehaviour? {
        let index = behaviours.firstIndex { behaviour in
            behaviour.registrationToken.map { $0.reveal().hasSameOctets(as: token) } ?? true
        }
        guard let index else { return nil }
        let behaviour = behaviours[index]
        if let count = behaviour.count {
            behaviours[index].count = count - 1
            if count <= 1 { behaviours.remove(at: index) }
        }
        return behaviour
    }

    /// From now on messages are answered like this; an answer for one phone goes before one for all.
    func behave(_ behaviour: SinkBehaviour) {
        behaviours.removeAll { $0.registrationToken == behaviour.registrationToken }
        guard behaviour.answer != .normal, behaviour.count != 0 else { return }
        if behaviour.registrationToken == nil {
            behaviours.append(behaviour)
        } else {
            behaviours.insert(behaviour, at: 0)
        }
    }

    /// Takes a message; nil when its phone is not registered any more.
    func receive(_ message: SinkMessage) -> Sighting? {
        guard devices[message.registrationToken.reveal()] != nil else { return nil }
        let sighting = Sighting(name: nextName(), time: clock.now(), message: message)
        guard !message.isDryRun else { return sighting }
        seen.append(sighting)
        if seen.count > Self.limit { seen.removeFirst() }
        devices[message.registrationToken.reveal()]?.receive(sighting)
        bells.removeValue(forKey: message.registrationToken.reveal())?.ring()
        return sighting
    }

    /// Everything that was seen so far, the oldest first.
    var sightings: [Sighting] { seen }

    private func nextName() -> String {
        "projects/\(projectID)/messages/0:\(clock.now().milliseconds)%\(Hex.encode(random.bytes(count: 8)))"
    }
}

/// Rings once for the request that waits for it.
final class Bell: Sendable {
    private let stream: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation

    init() {
        (stream, continuation) = AsyncStream.makeStream()
    }

    /// Ends the waiting, also when that begins later.
    func ring() { continuation.finish() }

    func wait(for time: Duration) async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { [stream] in for await _ in stream {} }
            group.addTask { try? await Task.sleep(for: time) }
            await group.next()
            group.cancelAll()
        }
    }
}

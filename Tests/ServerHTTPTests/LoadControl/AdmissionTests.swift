import LoadControl
import Testing

@Suite("Admission: who is let in when not everybody can be")
struct AdmissionTests {
    private static func admission(_ inFlight: Int) -> Admission {
        var settings = OverloadSettings()
        settings.inFlight = inFlight
        settings.leastInFlight = inFlight
        return Admission(settings)
    }

    /// Asks for `count` places and returns how many are given.
    private func given(
        _ count: Int, _ step: Admission.Step, _ source: Admission.Source, by admission: inout Admission
    ) -> Int {
        (0..<count).filter { _ in admission.admits(step, from: source, waited: .zero, at: .zero) }.count
    }

    @Test("Below the limit everybody is let in; a place that is given back is given again")
    func places() {
        var admission = Self.admission(10)
        let source = Admission.Source(address: "192.0.2.1")
        #expect(given(8, .first, source, by: &admission) == 8)
        #expect(given(1, .first, source, by: &admission) == 0)
        admission.leave(source)
        #expect(admission.inFlight == 7)
        #expect(given(2, .first, source, by: &admission) == 1)
    }

    @Test("The second step of a ceremony finds a place where a first one is refused, up to the limit")
    func secondSteps() {
        var admission = Self.admission(10)
        let source = Admission.Source(address: "192.0.2.1")
        #expect(given(20, .first, source, by: &admission) == 8)
        #expect(given(20, .further, source, by: &admission) == 2)
        #expect(admission.inFlight == 10)
    }

    @Test(
        "A first step behind a handshake finds a place where another first one is refused, and leaves some to second ones"
    )
    func connected() {
        var admission = Self.admission(10)
        let source = Admission.Source(address: "192.0.2.1")
        #expect(given(20, .first, source, by: &admission) == 8)
        #expect(given(20, .connected, source, by: &admission) == 1)
        #expect(given(20, .further, source, by: &admission) == 1)
        var early = Self.admission(10)
        #expect(given(20, .connected, Admission.Source(address: "", isImpatient: true), by: &early) == 2)
        var greedy = Self.admission(10)
        #expect(given(1, .first, Admission.Source(address: "192.0.2.2"), by: &greedy) == 1)
        #expect(given(20, .connected, source, by: &greedy) == 5)
    }

    @Test("There is room for a new client while a first step would be let in besides those who are expected")
    func room() {
        var admission = Self.admission(10)
        #expect(admission.hasRoom(besides: 7) && !admission.hasRoom(besides: 8))
        #expect(given(5, .first, Admission.Source(address: "192.0.2.1"), by: &admission) == 5)
        #expect(admission.hasRoom(besides: 2) && !admission.hasRoom(besides: 3))
        #expect(admission.hasRoom(besides: 0, isGreedy: true) && !admission.hasRoom(besides: 1, isGreedy: true))
    }

    @Test("A request that comes again says nothing about the latency of the process")
    func comingAgain() {
        var settings = OverloadSettings()
        settings.leastInFlight = 1
        var admission = Admission(settings)
        let source = Admission.Source(address: "192.0.2.1")
        for step in 0..<3 {
            let now = Duration.milliseconds(60 * step)
            let returning = admission.admits(.first, from: source, waited: .seconds(1), at: now)
            let fresh = admission.admits(.first, from: source, waited: nil, at: now)
            #expect(returning && fresh)
        }
        #expect(admission.currentLimit < 512)
    }

    @Test("The first request after a quiet time is judged by the limit that has risen meanwhile")
    func afterQuietTime() {
        var settings = OverloadSettings()
        (settings.inFlight, settings.leastInFlight) = (200, 1)
        var admission = Admission(settings)
        for step in 0..<60 { admission.observeDispatch(.seconds(1), at: .milliseconds(100 * step)) }
        #expect(admission.currentLimit < 2)
        let source = Admission.Source(address: "192.0.2.1")
        let isAdmitted = admission.admits(.first, from: source, waited: nil, at: .seconds(60))
        #expect(isAdmitted)
        #expect(admission.currentLimit == 200)
    }

    @Test("A limit of one lets one in, of every class")
    func smallest() {
        for step in [Admission.Step.first, .connected, .further] {
            var admission = Self.admission(1)
            let source = Admission.Source(address: "", isImpatient: true)
            #expect(given(5, step, source, by: &admission) == 1)
        }
    }

    @Test("An address with a hundred times the load of the others leaves them their places")
    func greedyAddress() {
        var admission = Self.admission(100)
        let greedy = Admission.Source(address: "192.0.2.1")
        let others = (2...6).map { Admission.Source(address: "192.0.2.\($0)") }
        for source in others { #expect(given(1, .first, source, by: &admission) == 1) }
        // It may use what the others leave, but not all.
        #expect(given(1_000, .first, greedy, by: &admission) == 55)
        for source in others { #expect(given(4, .first, source, by: &admission) == 4) }
        #expect(given(1, .first, others[0], by: &admission) == 0)
        #expect(given(100, .first, greedy, by: &admission) == 0)
    }

    @Test("Further steps of a greedy address leave the others places for first ones")
    func greedyFurtherSteps() {
        var admission = Self.admission(100)
        let greedy = Admission.Source(address: "192.0.2.1")
        let other = Admission.Source(address: "192.0.2.2")
        #expect(given(1, .first, other, by: &admission) == 1)
        #expect(given(1_000, .further, greedy, by: &admission) == 69)
        #expect(given(10, .first, other, by: &admission) == 10)
        #expect(given(100, .further, other, by: &admission) == 20)
    }

    @Test("A portal is held to its share whatever addresses it comes from")
    func greedyPortal() {
        var admission = Self.admission(100)
        let users = (0...10).map { Admission.Source(address: "198.51.100.\($0)", credentials: 1_000 + $0) }
        #expect(given(1, .first, users[10], by: &admission) == 1)
        let portal = (0..<100).map { Admission.Source(address: "192.0.2.\($0)", credentials: 1) }
        let places = portal.filter { admission.admits(.first, from: $0, waited: .zero, at: .zero) }.count
        #expect(places == 59)
        for user in users.prefix(10) { #expect(given(1, .first, user, by: &admission) == 1) }
    }

    @Test("Invented credentials give an address no more than its share")
    func inventedCredentials() {
        var admission = Self.admission(100)
        let honest = Admission.Source(address: "198.51.100.1")
        #expect(given(1, .first, honest, by: &admission) == 1)
        let invented = (0..<100).map { Admission.Source(address: "192.0.2.1", credentials: $0) }
        #expect(invented.filter { admission.admits(.first, from: $0, waited: .zero, at: .zero) }.count == 59)
        #expect(given(10, .first, honest, by: &admission) == 10)
    }

    @Test("Invented credentials make the part of a portal at another address no smaller")
    func inventedSenders() {
        var admission = Self.admission(100)
        let portal = Admission.Source(address: "198.51.100.1", credentials: -1)
        #expect(given(1, .first, portal, by: &admission) == 1)
        let invented = (0..<100).map { Admission.Source(address: "192.0.2.1", credentials: $0) }
        #expect(invented.filter { admission.admits(.first, from: $0, waited: .zero, at: .zero) }.count == 59)
        #expect(given(100, .first, portal, by: &admission) == 20)
        for source in invented.prefix(59) { admission.leave(source) }
        #expect(given(100, .first, portal, by: &admission) == 59, "it is alone again")
    }

    @Test("Two portals at one address have equal parts")
    func portalsAtOneAddress() {
        var admission = Self.admission(100)
        let (greedy, other) = (
            Admission.Source(address: "192.0.2.1", credentials: 1),
            Admission.Source(address: "192.0.2.1", credentials: 2)
        )
        #expect(given(1, .first, other, by: &admission) == 1)
        #expect(given(1_000, .first, greedy, by: &admission) == 59)
        #expect(given(10, .first, other, by: &admission) == 10)
    }

    @Test("One sender alone may use everything that first steps may use")
    func alone() {
        var admission = Self.admission(100)
        #expect(given(200, .first, Admission.Source(address: "192.0.2.1"), by: &admission) == 80)
    }

    @Test("A client that ignores Retry-After gains nothing over one that honours it")
    func impatience() {
        var simulation = PatienceSimulation(clients: 400, seed: 7)
        simulation.run(seconds: 60)
        let (honest, impatient) = (simulation.honestAnswers, simulation.impatientAnswers)
        #expect(honest.reduce(0, +) > 60 * 70)
        let mean = Double(honest.reduce(0, +)) / Double(honest.count)
        #expect(Double(impatient) <= mean, "\(impatient) of the impatient one, \(mean) on average")
    }
}

/// Clients that want ten times what the server can do: all honour Retry-After but the first, which asks again at once.
///
/// Time goes in steps of ten milliseconds. A place is held for 100 ms, so ten places serve 100 requests a second.
private struct PatienceSimulation {
    private struct Client {
        var nextTry: Int
        var until = 0
        var answers = 0
    }

    private static let holding = 10
    private var admission: Admission
    private var clients: [Client] = []
    private var endings: [Int: [Int]] = [:]
    private var random: UInt64

    var impatientAnswers: Int { clients.first?.answers ?? 0 }
    var honestAnswers: [Int] { clients.dropFirst().map(\.answers) }

    init(clients count: Int, seed: UInt64) {
        var settings = OverloadSettings()
        settings.inFlight = 10
        settings.leastInFlight = 10
        admission = Admission(settings)
        random = seed
        for number in 0..<count { clients.append(Client(nextTry: number % 100)) }
    }

    mutating func run(seconds: Int) {
        for step in 0..<(seconds * 100) {
            for number in endings.removeValue(forKey: step) ?? [] { admission.leave(source(number, step)) }
            for number in clients.indices where clients[number].nextTry == step { attempt(number, step) }
        }
    }

    private mutating func attempt(_ number: Int, _ step: Int) {
        let now = Duration.milliseconds(step * 10)
        guard admission.admits(.first, from: source(number, step), waited: .zero, at: now) else {
            clients[number].until = step + draw(100...500)
            clients[number].nextTry = number == 0 ? step + 1 : clients[number].until
            return
        }
        endings[step + Self.holding, default: []].append(number)
        clients[number].answers += 1
        clients[number].until = 0
        clients[number].nextTry = step + Self.holding + draw(1...100)
    }

    private func source(_ number: Int, _ step: Int) -> Admission.Source {
        Admission.Source(address: "\(number)", isImpatient: step < clients[number].until)
    }

    private mutating func draw(_ range: ClosedRange<Int>) -> Int {
        random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return range.lowerBound + Int((random >> 33) % UInt64(range.count))
    }
}

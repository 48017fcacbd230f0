import LoadControl
import TestSupport
import Testing

@Suite("Pace of groups: members gather while many requests are in flight")
struct GroupPaceTests {
    private var pace = GroupPace()

    /// Pauses before groups of which each begins as soon as the one before has.
    private mutating func pauses(_ count: Int, inFlight: Int, processors: Int = 1) -> [Duration] {
        var now = Duration.seconds(9)
        return (0..<count).map { _ in
            let pause = pace.pause(inFlight: inFlight, processors: processors, at: now)
            now += pause
            return pause
        }
    }

    @Test("While few requests are in flight a group begins at once")
    mutating func idle() {
        #expect(pauses(5, inFlight: 0) == Array(repeating: .zero, count: 5))
        #expect(pauses(5, inFlight: GroupPace.idle) == Array(repeating: .zero, count: 5))
    }

    @Test("The first group begins at once, and further ones at the longest distance while many are in flight")
    mutating func busy() {
        #expect(pauses(3, inFlight: GroupPace.busy) == [.zero, GroupPace.longest, GroupPace.longest])
    }

    @Test("More requests than many make no group wait longer, until they are a crowd")
    mutating func bound() {
        for inFlight in [GroupPace.busy, 2 * GroupPace.busy, GroupPace.crowd.lowerBound] {
            pace = GroupPace()
            #expect(pauses(3, inFlight: inFlight) == [.zero, GroupPace.longest, GroupPace.longest])
        }
    }

    @Test("In a crowd the distance grows with it, up to a multiple")
    mutating func crowd() {
        let (least, most) = (GroupPace.crowd.lowerBound, GroupPace.crowd.upperBound)
        #expect(pauses(2, inFlight: (least + most) / 2)[1] == GroupPace.longest * (1 + GroupPace.crowdFactor) / 2)
        for inFlight in [most, 100 * most] {
            pace = GroupPace()
            #expect(pauses(2, inFlight: inFlight)[1] == GroupPace.longest * GroupPace.crowdFactor)
        }
    }

    @Test("The distance grows with the requests in flight")
    mutating func growth() {
        let distances = (GroupPace.idle...GroupPace.busy).map { inFlight in
            pace = GroupPace()
            return pauses(2, inFlight: inFlight)[1]
        }
        #expect(distances.first == .zero)
        #expect(distances.last == GroupPace.longest)
        #expect(zip(distances, distances.dropFirst()).allSatisfy { $0 < $1 })
    }

    @Test("A server with more processors has room for more requests before a group waits")
    mutating func processors() {
        #expect(pauses(2, inFlight: 4 * GroupPace.idle, processors: 4) == [.zero, .zero])
        #expect(pauses(2, inFlight: 4 * GroupPace.busy, processors: 4)[1] == GroupPace.longest)
        #expect(pauses(2, inFlight: GroupPace.busy, processors: 0)[1] == GroupPace.longest)
    }

    @Test("The time that a group took is part of the distance, and one that took longer is followed at once")
    mutating func longGroup() {
        let half = GroupPace.longest / 2
        _ = pace.pause(inFlight: GroupPace.busy, processors: 1, at: .zero)
        #expect(pace.pause(inFlight: GroupPace.busy, processors: 1, at: half) == GroupPace.longest - half)
        #expect(pace.pause(inFlight: GroupPace.busy, processors: 1, at: .seconds(1)) == .zero)
    }

    // MARK: - The pacer

    @Test("A pacer waits for the requests in flight of its server, and tells whether it did")
    func pacer() async {
        let stage = LoadStage()
        let pacer = GroupPacer(stage.controller(inFlight: GroupPace.busy))
        #expect(await pacer.wait() == false)
        #expect(stage.clock() == .zero)
        #expect(await pacer.wait())
        #expect(stage.clock() == GroupPace.longest)
    }

    @Test("A pacer of a server with little to do does not wait")
    func idlePacer() async {
        let stage = LoadStage()
        let pacer = GroupPacer(stage.controller(inFlight: GroupPace.idle))
        for _ in 0..<3 { #expect(await pacer.wait() == false) }
        #expect(stage.clock() == .zero)
    }
}

import LoadControl
import TestSupport
import Testing

@Suite("Load controller: refusals, places and reports")
struct LoadControllerTests {
    private let stage = LoadStage()
    private let source = Admission.Source(address: "192.0.2.1")

    @Test("A refusal names a time within the range, drawn for each")
    func retryAfter() {
        let controller = LoadController { (settings: inout OverloadSettings) in settings.inFlight = 1 }
        guard case .admitted = controller.admit(.first, from: source, waited: .zero) else {
            Issue.record("refused")
            return
        }
        var times: Set<Int> = []
        for _ in 0..<500 {
            guard case .refused(let seconds) = controller.admit(.first, from: source, waited: .zero) else {
                Issue.record("let in")
                return
            }
            times.insert(seconds)
        }
        #expect(times == [1, 2, 3, 4, 5])
    }

    @Test("A ticket counts its request until it is closed, and is closed once")
    func ticket() {
        let controller = stage.controller { $0.inFlight = 2 }
        guard case .admitted(let one) = controller.admit(.further, from: source, waited: .milliseconds(3)),
            case .admitted = controller.admit(.further, from: source, waited: .zero)
        else {
            Issue.record("refused")
            return
        }
        #expect(stage.depth(of: .requests) == 2 && stage.waits == [.milliseconds(3), .zero])
        one.close()
        one.close()
        #expect(stage.depth(of: .requests) == 1)
    }

    @Test("A request that is let in at its arrival counts from then on, and its wait when it begins")
    func arrival() {
        let controller = stage.controller { $0.inFlight = 1 }
        guard case .admitted(let one) = controller.admit(.first, from: source),
            case .refused = controller.admit(.first, from: source)
        else {
            Issue.record("not counted")
            return
        }
        #expect(stage.depth(of: .requests) == 1 && stage.waits.isEmpty)
        controller.began(after: .milliseconds(7))
        #expect(stage.waits == [.milliseconds(7)])
        one.close()
        #expect(stage.depth(of: .requests) == 0)
    }

    @Test("A place that was given up is asked for again as if the request came now, and its wait is not noted twice")
    func retaking() {
        let controller = stage.controller { $0.inFlight = 2 }
        guard case .admitted(let slow) = controller.admit(.first, from: source, waited: .zero) else {
            Issue.record("refused")
            return
        }
        slow.leave()
        guard case .admitted(let one) = controller.admit(.first, from: source, waited: .zero),
            case .admitted = controller.admit(.first, from: source, waited: .zero), case .refused = slow.retake()
        else {
            Issue.record("the place was not given up")
            return
        }
        #expect(stage.depth(of: .requests) == 2 && stage.shed == ["requests full"])
        one.close()
        guard case .admitted = slow.retake(), case .admitted = slow.retake() else {
            Issue.record("refused though there is room")
            return
        }
        #expect(stage.depth(of: .requests) == 2 && stage.waits.count == 3)
        slow.close()
        #expect(stage.depth(of: .requests) == 1)
    }

    @Test("Late commits lower the number of requests that are let in")
    func lateCommits() {
        let controller = stage.controller()
        for _ in 0..<40 {
            controller.committed(after: .seconds(1))
            stage.pass(.milliseconds(100))
        }
        #expect(controller.currentLimit == Double(OverloadSettings().leastInFlight))
    }

    @Test("Shedding is told once when it begins, and once when ten seconds were quiet")
    func changes() {
        let controller = stage.controller { $0.inFlight = 1 }
        guard case .admitted(let ticket) = controller.admit(.first, from: source, waited: .zero) else {
            Issue.record("refused")
            return
        }
        for _ in 0..<100 {
            _ = controller.admit(.first, from: source, waited: .zero)
            stage.pass(.milliseconds(100))
        }
        #expect(stage.changes == [.began] && stage.shed.count == 100)
        #expect(Set(stage.shed) == ["requests full"])
        ticket.close()
        stage.pass(.seconds(10))
        _ = controller.admit(.first, from: source, waited: .zero)
        #expect(stage.changes == [.began, .ended(count: 100)])
    }

    @Test("A bound lets so many in and refuses the next; a place that is left is free")
    func bound() {
        let bound = QueueBound(2, of: .deliveries, stage.controller())
        #expect(bound.enter() && bound.enter())
        #expect(!bound.enter() && stage.shed == ["deliveries full"])
        bound.leave()
        #expect(bound.enter() && stage.depth(of: .deliveries) == 2)
    }
}

extension LoadController {
    /// A controller with changed settings, the real clock and real chance.
    fileprivate convenience init(_ change: (inout OverloadSettings) -> Void) {
        var settings = OverloadSettings()
        change(&settings)
        self.init(settings)
    }
}

import LoadControl
import Synchronization

/// Server with requests in flight whose groups wait for their pace until the test lets them go on.
final class HeldPace: Sendable {
    private struct State {
        var isOpen = false
        var pauses: [Duration] = []
    }

    private let state = Mutex(State())
    private let requestsInFlight: Int
    private let report: any QueueReport

    init(requestsInFlight: Int, report: any QueueReport = SilentQueueReport()) {
        self.requestsInFlight = requestsInFlight
        self.report = report
    }

    /// Controller of the server, on whose clock no time passes.
    var load: LoadController {
        let load = LoadController(report: report, clock: { .zero }, sleep: { await self.wait($0) })
        for number in 0..<requestsInFlight {
            _ = load.admit(.first, from: Admission.Source(address: "192.0.2.\(number)"))
        }
        return load
    }

    /// Times for which groups have waited, or wait.
    var pauses: [Duration] { state.withLock { $0.pauses } }

    /// Returns when a group waits.
    func untilWaiting() async {
        while pauses.isEmpty { await Task.yield() }
    }

    /// Lets all groups go on.
    func open() { state.withLock { $0.isOpen = true } }

    private func wait(_ time: Duration) async {
        state.withLock { $0.pauses.append(time) }
        while !state.withLock({ $0.isOpen }) { await Task.yield() }
    }
}

import Linearizability
import TestSupport

/// Simulated object on which clients work at the same time and every operation takes effect at one moment.
struct AtomicObject<Model: SequentialModel> {
    typealias Operation = RecordedOperation<Model.Call, Model.Answer>

    let model: Model
    /// Draws the next call of a client.
    let draw: (inout SeededGenerator) -> Model.Call
    /// One of so many operations is never answered, half of them after their effect; 0: none.
    var unansweredShare = 0

    /// How far the operation of a client is.
    private enum Progress {
        case idle
        case asked(Model.Call, Int64)
        case done(Model.Call, Int64, Model.Answer)
    }

    /// Plays a history of `count` operations; time counts the steps.
    func history(of count: Int, by clientCount: Int, _ generator: inout SeededGenerator) -> [Operation] {
        var history: [Operation] = []
        var state = model.initialState
        var clients = Array(repeating: Progress.idle, count: clientCount)
        var time: Int64 = 0
        while history.count < count {
            time += 1
            let index = Int.random(in: 0..<clientCount, using: &generator)
            // Of half of them it is known when their server was gone.
            let limit = Bool.random(using: &generator) ? time : .max
            let isLost = unansweredShare > 0 && Int.random(in: 0..<(2 * unansweredShare), using: &generator) == 0
            switch clients[index] {
            case .idle:
                clients[index] = .asked(draw(&generator), time)
            case .asked(let call, let start):
                if isLost {
                    history.append(Operation("client \(index)", call, unansweredFrom: start, until: limit))
                    clients[index] = .idle
                } else {
                    let outcomes = model.outcomes(of: call, in: state, during: TimeSpan(time, time))
                    guard let outcome = outcomes.randomElement(using: &generator) else { continue }
                    state = outcome.state
                    clients[index] = .done(call, start, outcome.answer)
                }
            case .done(let call, let start, let answer):
                history.append(
                    isLost
                        ? Operation("client \(index)", call, unansweredFrom: start, until: limit)
                        : Operation("client \(index)", call, answer, from: start, to: time))
                clients[index] = .idle
            }
        }
        for case .done(let call, let start, _) in clients {
            history.append(Operation("client", call, unansweredFrom: start))
        }
        return history
    }
}

import Linearizability
import TestSupport

/// Object whose operations take steps, between which the steps of other clients come.
protocol SteppedObject {
    associatedtype Model: SequentialModel

    /// Step of an operation: it works on what is kept and on what the operation has read, and may give the answer.
    typealias Step = (inout Self, inout UInt32) -> Model.Answer?

    /// Steps of a call, of which the first answer counts; those after it follow when their turn comes, unless the process is
    /// killed before.
    static func steps(of call: Model.Call) -> [Step]
}

/// Run of clients on a stepped object, in an order that a seed decides, with kills of the process that serves them.
struct SteppedRun<Object: SteppedObject> {
    typealias Operation = RecordedOperation<Object.Model.Call, Object.Model.Answer>

    /// An operation under way.
    private struct Activity {
        let client: String
        let call: Object.Model.Call
        let start: Int64
        var steps: ArraySlice<Object.Step>
        var seen: UInt32 = 0
        var isAnswered = false
    }

    private var object: Object
    private var activities: [Activity] = []
    private var time: Int64 = 0
    private(set) var history: [Operation] = []

    /// Plays `count` operations of clients that call what `draw` says; one step of so many is a kill, 0: none.
    init(
        _ object: Object, count: Int, killedOnceIn killShare: Int, _ generator: inout SeededGenerator,
        _ draw: (inout SeededGenerator) -> Object.Model.Call
    ) {
        self.object = object
        for number in 0..<count {
            while activities.count >= 3 { step(&generator) }
            time += 1
            let call = draw(&generator)
            activities.append(
                Activity(client: "client \(number)", call: call, start: time, steps: Object.steps(of: call)[...]))
            for _ in 0..<Int.random(in: 0...3, using: &generator) { step(&generator) }
            if killShare > 0, Int.random(in: 0..<killShare, using: &generator) == 0 { kill() }
        }
        while !activities.isEmpty { step(&generator) }
    }

    private mutating func step(_ generator: inout SeededGenerator) {
        guard let index = activities.indices.randomElement(using: &generator) else { return }
        time += 1
        let answer = activities[index].steps.popFirst().flatMap { step in step(&object, &activities[index].seen) }
        let activity = activities[index]
        if let answer, !activity.isAnswered {
            history.append(Operation(activity.client, activity.call, answer, from: activity.start, to: time))
            activities[index].isAnswered = true
        }
        if activities[index].steps.isEmpty { activities.remove(at: index) }
    }

    /// Ends everything under way; what is kept stays.
    private mutating func kill() {
        for activity in activities where !activity.isAnswered {
            history.append(Operation(activity.client, activity.call, unansweredFrom: activity.start))
        }
        activities = []
    }
}

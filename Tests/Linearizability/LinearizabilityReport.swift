/// Results of the checks of many objects.
package struct LinearizabilityReport: Sendable {
    /// Objects that were checked.
    package private(set) var objectCount = 0
    /// Operations on them.
    package private(set) var operationCount = 0
    /// Operations among them whose answer is not known.
    package private(set) var unansweredCount = 0
    /// Counterexamples in words, one for each object whose history no order explains.
    package private(set) var refusals: [String] = []
    /// Objects of whose histories nothing is known, because more had to be tried than is allowed.
    package private(set) var undecided: [String] = []

    /// Report on nothing.
    package init() {}

    /// Whether an order explains the history of every object.
    package var isLinearizable: Bool { refusals.isEmpty && undecided.isEmpty }

    /// Checks the history of one object.
    package mutating func add<Model: SequentialModel>(
        _ history: [RecordedOperation<Model.Call, Model.Answer>], on object: String, _ model: Model
    ) {
        objectCount += 1
        operationCount += history.count
        unansweredCount += history.count { $0.answer == nil }
        switch LinearizabilityChecker(model).verdict(on: history) {
        case .linearizable: break
        case .refused(let counterexample): refusals.append("\(object): \(counterexample)")
        case .undecided: undecided.append(object)
        }
    }

    /// Adds the results of another report.
    package mutating func add(_ other: LinearizabilityReport) {
        objectCount += other.objectCount
        operationCount += other.operationCount
        unansweredCount += other.unansweredCount
        refusals += other.refusals
        undecided += other.undecided
    }
}

extension LinearizabilityReport: CustomStringConvertible {
    /// The counts in one line, and every counterexample below.
    package var description: String {
        let counts =
            "\(operationCount) operations on \(objectCount) objects, \(unansweredCount) without an answer: "
            + "\(refusals.count) refused, \(undecided.count) undecided"
        return ([counts] + undecided.map { "\($0): undecided" } + refusals).joined(separator: "\n")
    }
}

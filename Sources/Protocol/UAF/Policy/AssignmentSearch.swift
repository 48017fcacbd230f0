/// Finds the ways to give each of several places a different thing out of those that fit it.
package struct AssignmentSearch: Sendable {
    private var stepsLeft: Int

    /// Allows so many steps over all searches with this value.
    package init(stepLimit: Int) {
        stepsLeft = stepLimit
    }

    /// All ways, in the order of the places and, for each place, of the things that fit it.
    ///
    /// `fitting` holds for each place the indices of the things that fit. Once the steps are used up, what was found so
    /// far is the answer.
    package mutating func assignments(of fitting: [[Int]]) -> [[Int]] {
        guard !fitting.isEmpty, fitting.allSatisfy({ !$0.isEmpty }) else { return [] }
        var found: [[Int]] = []
        var chosen: [Int] = []
        // For each place that is filled or being filled, the next of its things to try.
        var cursors = [0]
        while let cursor = cursors.last, stepsLeft > 0 {
            stepsLeft -= 1
            let place = cursors.count - 1
            guard cursor < fitting[place].count else {
                cursors.removeLast()
                if !chosen.isEmpty { chosen.removeLast() }
                continue
            }
            cursors[place] += 1
            let thing = fitting[place][cursor]
            guard !chosen.contains(thing) else { continue }
            if place == fitting.count - 1 {
                found.append(chosen + [thing])
            } else {
                chosen.append(thing)
                cursors.append(0)
            }
        }
        return found
    }
}

/// A point in time, handed in by the caller: nothing here reads a clock.
package struct Moment: Hashable, Comparable, Sendable {
    /// Milliseconds since 1970-01-01T00:00:00Z without leap seconds.
    package let milliseconds: Int64

    package init(milliseconds: Int64) {
        self.milliseconds = milliseconds
    }

    package static func < (left: Moment, right: Moment) -> Bool { left.milliseconds < right.milliseconds }
}

/// A point in time, in milliseconds since 1970-01-01T00:00:00Z without leap seconds.
package struct Timestamp: Hashable, Comparable, Sendable {
    /// Milliseconds since the epoch.
    package let milliseconds: Int64

    /// The point this many milliseconds after the epoch.
    package init(milliseconds: Int64) {
        self.milliseconds = milliseconds
    }

    /// The point this many seconds after the epoch.
    package init(seconds: Int64) {
        milliseconds = seconds.saturatingProduct(1000)
    }

    /// Whole seconds since the epoch, rounded down, as tokens carry them (RFC 7519, 2).
    package var seconds: Int64 {
        milliseconds >= 0 ? milliseconds / 1000 : (milliseconds - 999) / 1000
    }

    /// The later point; saturates at the ends of the range.
    package static func + (start: Timestamp, duration: Duration) -> Timestamp {
        let (sum, overflow) = start.milliseconds.addingReportingOverflow(duration.wholeMilliseconds)
        guard overflow else { return Timestamp(milliseconds: sum) }
        return Timestamp(milliseconds: duration.wholeMilliseconds > 0 ? .max : .min)
    }

    /// The earlier point; saturates at the ends of the range.
    package static func - (end: Timestamp, duration: Duration) -> Timestamp {
        end + (.zero - duration)
    }

    /// The time from `start` to `end`.
    package static func - (end: Timestamp, start: Timestamp) -> Duration {
        let (difference, overflow) = end.milliseconds.subtractingReportingOverflow(start.milliseconds)
        return .milliseconds(overflow ? (end > start ? .max : .min) : difference)
    }

    package static func < (one: Timestamp, other: Timestamp) -> Bool { one.milliseconds < other.milliseconds }
}

extension Duration {
    /// The duration in milliseconds, rounded towards zero.
    package var wholeMilliseconds: Int64 {
        let (seconds, attoseconds) = components
        let (sum, overflow) = seconds.saturatingProduct(1000)
            .addingReportingOverflow(attoseconds / 1_000_000_000_000_000)
        return overflow ? (seconds > 0 ? .max : .min) : sum
    }
}

extension Int64 {
    fileprivate func saturatingProduct(_ factor: Int64) -> Int64 {
        let (product, overflow) = multipliedReportingOverflow(by: factor)
        return overflow ? (self > 0 ? .max : .min) : product
    }
}

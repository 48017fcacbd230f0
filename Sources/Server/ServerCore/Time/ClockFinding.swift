/// Finding about the clocks, in words for an operator.
package struct ClockFinding: Sendable, Hashable {
    /// One sentence, with the size of what is wrong.
    package let text: String

    init?(_ clock: ServerClock) {
        if let step = clock.wall.pendingStep {
            text = "the clock of the machine jumped by \(Self.words(step)); it is not believed yet"
            return
        }
        let deviation = clock.deviation
        guard max(deviation, .zero - deviation) > ServerClock.noteworthyDeviation else {
            guard let skew = clock.skew else { return nil }
            text =
                "the clock of the process \(skew.instance) on the same database differs by \(Self.words(skew.size))"
            return
        }
        text =
            "the times in the database are \(Self.words(max(deviation, .zero - deviation), signed: false)) "
            + "\(deviation > .zero ? "ahead of" : "behind") the clock of the machine; they near each other slowly, and "
            + "\"signet-server keys replace\" sets them right at once"
    }

    /// A step in words, such as `+1 h 0 min 3 s`.
    package static func words(_ duration: Duration, signed: Bool = true) -> String {
        let seconds = duration.components.seconds
        let rest = seconds.magnitude
        var parts: [String] = []
        for (unit, name) in [(UInt64(86_400), "d"), (3_600, "h"), (60, "min")] where rest >= unit {
            parts.append("\(rest % (unit == 86_400 ? .max : unit * (unit == 3_600 ? 24 : 60)) / unit) \(name)")
        }
        parts.append("\(rest % 60) s")
        return (signed ? (seconds < 0 ? "-" : "+") : "") + parts.joined(separator: " ")
    }
}

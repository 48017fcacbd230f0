/// How often something can be done in a second, on one core.
struct Rate {
    /// Operations per second.
    let perSecond: Double

    /// Repeats `operation` for about `seconds`, after a short warm-up.
    init(seconds: Double, _ operation: () throws -> Void) rethrows {
        for _ in 0..<50 { try operation() }
        let clock = ContinuousClock()
        let start = clock.now
        let limit = Duration.seconds(seconds)
        var count = 0
        while clock.now - start < limit {
            for _ in 0..<20 { try operation() }
            count += 20
        }
        let elapsed = clock.now - start
        let (whole, fraction) = elapsed.components
        perSecond = Double(count) / (Double(whole) + Double(fraction) / 1e18)
    }
}

/// A token bucket: `burst` requests at once, refilled with `perSecond` each second.
package struct RateLimit: Sendable, Hashable {
    package var perSecond: Int
    /// Requests that may come at once after a pause.
    package var burst: Int

    package init(perSecond: Int, burst: Int) {
        self.perSecond = perSecond
        self.burst = burst
    }
}

/// Clock readings of a server process, as of its last report.
package struct ProcessClock: Sendable, Hashable {
    /// Difference between two processes that is reported to an operator.
    static let noteworthySkew: Duration = .seconds(5)
    /// Time after which a process that was not heard of counts as gone.
    package static let silence: Duration = .seconds(60)
    /// Time for which the row of a process that was killed is kept.
    package static let memory: Duration = .seconds(86_400)

    package let instance: String
    package let wall: Timestamp
    /// The start of the machine that the monotonic clock counts from.
    package let startID: String
    package let sinceStart: Duration

    package init(instance: String, wall: Timestamp, startID: String, sinceStart: Duration) {
        self.instance = instance
        self.wall = wall
        self.startID = startID
        self.sinceStart = sinceStart
    }

    /// Whether `other` was heard of lately.
    ///
    /// On another machine, or after another start of this one, the times of day are compared.
    func isPresent(_ other: ProcessClock) -> Bool {
        guard other.instance != instance else { return false }
        if other.startID == startID { return sinceStart - other.sinceStart < Self.silence }
        let difference = wall - other.wall
        return max(difference, .zero - difference) < Self.silence
    }

    /// By how much the time of day of `other` is ahead of ours; nil when it is about the same, or `other` is gone.
    func skew(of other: ProcessClock) -> Duration? {
        guard other.instance != instance, other.startID == startID, sinceStart - other.sinceStart < Self.silence else {
            return nil
        }
        let skew = (other.wall - other.sinceStart) - (wall - sinceStart)
        return max(skew, .zero - skew) > Self.noteworthySkew ? skew : nil
    }
}

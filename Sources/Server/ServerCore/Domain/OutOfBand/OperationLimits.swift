/// How often a user may be asked, over all operations that anybody begins (assurance SRV-7, SRV-8, A-7).
package struct OperationLimits: Sendable, Hashable {
    /// The time over which is counted.
    package var window: Duration = .seconds(600)
    /// Messages pushed to a user in the window since the user last succeeded.
    package var pushes = 5
    /// How long the user is left alone after pushes without success.
    package var backOff = PushBackOff()
    /// When nothing is pushed; nil: at no time of the day.
    package var quietHours: QuietHours?
    /// Wrong digits under a signature of the user or the device in the window; new digits do not begin a new count.
    package var wrongDigits = 3
    /// Operations in the window that the user's device has reported as not begun by them; no more is pushed then.
    package var reports = 2
    /// Whether a user has one pending push, and ``pendingLinks`` links and codes, at most.
    package var hasOnePending = true
    /// Links and codes that may be pending for one user.
    package var pendingLinks = 5

    /// The defaults.
    package init() {}
}

import UAF

/// Reason for the absence of figures.
enum BenchmarkFailure: Error {
    /// `SIGNET_SERVER`, which `script/bench` sets, does not name the server's program.
    case serverNotBuilt
    /// `SIGNET_PUSH_SINK`, which `script/bench` sets, does not name the program of the push service.
    case pushSinkNotBuilt
    /// The server exited by itself; the end of its log.
    case serverEnded(String)
    /// A sign-in or registration did not succeed: this UAF status was returned instead of 1200.
    case refused(step: String, StatusCode)
    /// The HTTP status was not 200.
    case httpStatus(step: String, UInt)
    /// The server refused because of overload (status 503 with `Retry-After`), this long after the request was sent.
    case overloaded(step: String, after: Duration)
    /// An operation of a load failed where none may; its reason.
    case loadFailed(String)
    /// All portals and phones for out-of-band operations are at work.
    case noIdlePair
    /// A program, other than the server, that the benchmark needs failed; the end of what it wrote.
    case programFailed(String, String)
    /// The dispatch failed, or was not the requested one; the result of the dispatch.
    case notDispatched(String)
    /// A status that is wrong at this point.
    case otherStatus(String)
    /// The response to a request for a ceremony is not the requested one.
    case noRequest(step: String)
    /// A browser, a web site or the push service got another answer than the right one; which step, and what came.
    case wrongAnswer(step: String, came: String)
    /// The connection was lost before the response was complete.
    case connectionLost
    /// The CPU time reported by the system cannot be parsed; the benchmark needs Linux.
    case noProcessTime
    /// The metrics of the server do not tell how long requests have waited.
    case noQueueWait
    /// The disk has less room than the run needs; how much of both.
    case noRoom(String)
    /// A constant of the benchmark is wrong.
    case badConstant
}

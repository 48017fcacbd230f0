import UAF

/// Why there are no figures.
enum BenchmarkFailure: Error {
    /// `SIGNET_SERVER` does not name the server's program; `script/bench` sets it.
    case serverNotBuilt
    /// The server ended by itself; the end of its log.
    case serverEnded(String)
    /// A sign-in or registration did not succeed: this status came back instead of 1200.
    case refused(step: String, StatusCode)
    /// The HTTP status was not 200.
    case httpStatus(step: String, UInt)
    /// Nothing was dispatched, or not what was asked for; the result of the dispatch.
    case notDispatched(String)
    /// A status was seen that must not be there at this point.
    case otherStatus(String)
    /// The answer to a request for a ceremony is not what was asked for.
    case noRequest(step: String)
    /// The connection broke before the answer was there.
    case connectionLost
    /// What the system tells about CPU time cannot be read; the benchmark needs Linux.
    case noProcessTime
    /// A constant of the benchmark is wrong.
    case badConstant
}

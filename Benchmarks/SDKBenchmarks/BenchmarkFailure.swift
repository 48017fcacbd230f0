/// Reason for the absence of figures.
enum BenchmarkFailure: Error {
    /// `SIGNET_SERVER`, which `script/bench` sets, does not name the server's program.
    case serverNotBuilt
    /// A constant of the benchmark is wrong.
    case badConstant
}

/// Why there are no figures.
enum BenchmarkFailure: Error {
    /// `SIGNET_SERVER` does not name the server's program; `script/bench` sets it.
    case serverNotBuilt
    /// A constant of the benchmark is wrong.
    case badConstant
}

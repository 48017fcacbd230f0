/// Why there are no figures.
enum BenchmarkFailure: Error {
    /// A constant of the benchmark is wrong.
    case badConstant
}

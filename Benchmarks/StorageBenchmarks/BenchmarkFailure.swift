/// What keeps the benchmark from giving figures.
enum BenchmarkFailure: Error {
    /// SQLCipher answered with this code.
    case cipherDatabase(code: Int32)
    /// A store did not hold what was put into it.
    case wrongValue
}

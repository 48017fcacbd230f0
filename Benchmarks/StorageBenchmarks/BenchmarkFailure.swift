/// Reason for the absence of figures.
enum BenchmarkFailure: Error {
    /// SQLCipher returned this result code.
    case cipherDatabase(code: Int32)
    /// A store did not contain the value that was written to it.
    case wrongValue
}

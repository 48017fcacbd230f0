/// Server process whose CPU time is measured.
protocol MeasuredServer: Sendable {
    /// Port on which it listens.
    var port: Int { get }
    /// Path of the certificate authority's file.
    var authorityFile: String { get }
    /// CPU time of the process so far.
    var time: ProcessTime { get throws }
}

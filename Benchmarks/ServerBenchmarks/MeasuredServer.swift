/// A process that answers phones and whose CPU time is counted.
protocol MeasuredServer: Sendable {
    /// The port it listens on.
    var port: Int { get }
    /// The file of the authority behind its certificate.
    var authorityFile: String { get }
    /// CPU time that the process has used so far.
    var time: ProcessTime { get throws }
}

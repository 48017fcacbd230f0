/// All figures of one run, ready to be written.
protocol FigureReport {
    /// One line of JSON.
    var json: String { get }
    /// What people read.
    var table: String { get }
}

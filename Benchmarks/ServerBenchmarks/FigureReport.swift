/// Report of all figures of one run.
protocol FigureReport {
    /// All figures as one line of JSON.
    var json: String { get }
    /// All figures as a table.
    var table: String { get }
}

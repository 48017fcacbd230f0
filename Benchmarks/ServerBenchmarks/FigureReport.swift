import BenchmarkSupport

/// Report of all figures of one run.
protocol FigureReport {
    /// All figures as one line of JSON.
    var json: String { get }
    /// All figures as a table.
    var table: String { get }
}

/// Figures of one run, with lines that explain them.
struct FigureTable: FigureReport {
    private let figures: [Figure]
    private let explanation: [String]
    private let machine = Machine()

    init(_ figures: [Figure], explanation: [String]) {
        self.figures = figures
        self.explanation = explanation
    }

    /// All figures as one line of JSON.
    var json: String {
        #"{"figures":[\#(figures.map(\.json).joined(separator: ","))],"machine":\#(machine.json)}"#
    }

    /// All figures as a table.
    var table: String { ([machine.line] + figures.map(\.line) + [""] + explanation).joined(separator: "\n") }
}

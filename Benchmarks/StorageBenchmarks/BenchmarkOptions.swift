/// Options of the command line.
struct BenchmarkOptions {
    /// Output format of the figures.
    enum Format: String {
        case table, json
    }

    /// Error of a command line that is not understood.
    struct Misuse: Error {
        let explanation: String
    }

    static let usage = """
        usage: script/bench storage [--format table|json] [--seconds N] [--help]

        Measures the secure storage beside SQLCipher and beside its floor, in turns, in one process.

          --format json   one line of JSON instead of the table
          --seconds N     seconds for each pair of figures (1)
          --help          this text

        TMPDIR            where the files are made and removed again; it must be a real disk
        """

    private(set) var format = Format.table
    private(set) var seconds = 1.0
    private(set) var wantsHelp = false

    /// Parses the arguments; throws ``Misuse``.
    init(_ arguments: some Collection<String>) throws(Misuse) {
        var rest = Array(arguments)[...]
        while let argument = rest.popFirst() {
            switch argument {
            case "--help", "-h": wantsHelp = true
            case "--format":
                guard let format = rest.popFirst().flatMap(Format.init(rawValue:)) else {
                    throw Misuse(explanation: "--format takes table or json")
                }
                self.format = format
            case "--seconds":
                guard let seconds = rest.popFirst().flatMap(Double.init), (0.05...600).contains(seconds) else {
                    throw Misuse(explanation: "--seconds takes a number from 0.05 to 600")
                }
                self.seconds = seconds
            default: throw Misuse(explanation: "unknown option \(argument)")
            }
        }
    }
}

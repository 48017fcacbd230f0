/// Options of the command line.
struct Options {
    /// Error of a command line that is not understood.
    struct Mistake: Error {}

    static let usage = """
        usage: script/bench relying-party [--format text|json] [--seconds N]

        Measures on one thread how much processor time it takes to read and judge an answer of a phone, beside the
        bare signature verification of the crypto library in the same run.

          --format   text is a table; json is one line (default: text)
          --seconds  how long to measure (default: 8)
          --help     shows this
        """

    /// Whether the result is JSON instead of a table.
    private(set) var isJSON = false
    /// Duration of the measurement in seconds.
    private(set) var seconds = 8.0
    /// Whether the user requests ``usage`` only.
    private(set) var asksForHelp = false

    /// Parses the arguments, without the name of the program.
    init(_ arguments: some Sequence<String>) throws(Mistake) {
        var rest = arguments.makeIterator()
        while let argument = rest.next() {
            switch (argument, argument == "--help" ? "" : rest.next()) {
            case ("--help", _): asksForHelp = true
            case ("--format", "json"): isJSON = true
            case ("--format", "text"): isJSON = false
            case ("--seconds", let text?):
                guard let number = Double(text), (0.1...3600).contains(number) else { throw Mistake() }
                seconds = number
            default: throw Mistake()
            }
        }
    }
}

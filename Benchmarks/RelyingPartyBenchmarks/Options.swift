/// What the command line asks for.
struct Options {
    /// The command line is not one that this program understands.
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
    /// How long to measure.
    private(set) var seconds = 8.0
    /// Whether the user wants to read ``usage`` only.
    private(set) var asksForHelp = false

    /// Reads the arguments, the name of the program left out.
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

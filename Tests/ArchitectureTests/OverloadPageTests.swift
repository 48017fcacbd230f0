import Testing

/// What `docs/operate/overload.md` says about queues is compared with the sources of the server, in both directions.
@Suite("docs/operate/overload.md names every place of the server in which something waits")
struct OverloadPageTests {
    private static let bounded = "Queues with a bound"
    private static let others = "Other places where something waits"
    /// Words that let something wait: streams, continuations, conditions, queues, tasks that outlive their caller.
    private static var waiting: Regex<Substring> {
        /\b(?:Async(?:Throwing)?Stream|\w*CheckedContinuation|NSCondition|CircularBuffer|FairQueue|WaitingPlace|asyncWrite\w*)\b|\bTask \x7B/
            .wordBoundaryKind(.simple)
    }

    private let page: MarkdownPage

    init() throws {
        page = MarkdownPage(
            try #require(House.text(of: "docs/operate/overload.md"), "docs/operate/overload.md is missing"))
    }

    /// Files of the server that runs in production; the parts of queues stand in a target of their own.
    private static func isJudged(_ file: SourceFile) -> Bool {
        let isServer = file.path.hasPrefix("Sources/Server/") || file.path.hasPrefix("Sources/Commands/ServerCommand")
        return isServer && file.target != "LoadControl" && file.target != "PushSink"
    }

    @Test("Each source file in which something can wait stands in one of the two tables")
    func files() {
        let rows = (page.rows(of: Self.bounded) + page.rows(of: Self.others)).map { $0.joined(separator: " ") }
        let named = Set(rows.flatMap { MarkdownPage.paths(in: $0) })
        let found = House.sources.filter { Self.isJudged($0) && $0.code.contains(Self.waiting) }
        #expect(found.count > 8, "nothing to compare with")
        let missing = found.filter { file in !named.contains { file.path.hasSuffix("/\($0).swift") } }.map(\.path)
        #expect(missing.isEmpty, "not in docs/operate/overload.md: \(missing)")
    }

    @Test("Each file that the tables name exists")
    func references() {
        for row in page.rows(of: Self.bounded) + page.rows(of: Self.others) {
            let paths = MarkdownPage.paths(in: row.last ?? "")
            #expect(!paths.isEmpty, "\(row.first ?? "") has no file")
            for path in paths { #expect(MarkdownPage.sources(at: path).count == 1, "\(path)") }
        }
    }

    @Test("Each queue with metrics has a row, and each row with a metric is a queue")
    func metrics() throws {
        let source = try #require(MarkdownPage.sources(at: "LoadControl/Queue").first)
        let body = try #require(source.text.firstMatch(of: /enum QueueName[^{]*\{(?<cases>[^}]*)\}/))
        let names = body.output.cases.matches(of: /case (\w+)(?: = "(\w+)")?/).map { String($0.2 ?? $0.1) }
        let rows = page.rows(of: Self.bounded)
        try #require(rows.allSatisfy { $0.count == 6 })
        #expect(names.count > 3)
        #expect(rows.compactMap { MarkdownPage.names(in: $0[4]).first } == names)
    }

    @Test("Words that let something wait are found, and others are not")
    func samples() {
        for code in ["AsyncStream<Int>.makeStream()", "writer.asyncWriteWithoutTransaction", "Task { x() }"] {
            #expect(code.contains(Self.waiting), "\(code)")
        }
        for code in ["group.addTask { x() }", "await pause.wait()", "let circular = 1"] {
            #expect(!code.contains(Self.waiting), "\(code)")
        }
    }
}

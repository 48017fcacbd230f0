import Testing

@Suite("The package keeps the rules")
struct RepositoryTests {
    @Test("Sources are found")
    func sources() {
        #expect(!Repository.sources.isEmpty)
    }

    @Test("Every import stands in the import table")
    func imports() {
        expectNone(Repository.sources.flatMap(ImportTable.repository.violations))
    }

    @Test("No arrow runs from the protocol upwards, none between phone and server")
    func arrows() {
        #expect(ImportTable.repository.arrowsAgainstTheRule.isEmpty)
    }

    @Test("Files, functions, parameter lists and nesting stay in their budgets")
    func sizes() {
        expectNone(Repository.files.flatMap(SizeRule.violations))
    }

    @Test("Nothing in the sources traps by force")
    func traps() {
        expectNone(Repository.sources.flatMap(TrapRule.violations))
    }

    @Test("No name fits anything")
    func names() {
        expectNone(Repository.files.flatMap(NameRule.violations))
    }

    @Test("A file is found by its name")
    func fileShapes() {
        expectNone(FileShapeRule.violations(in: Repository.sources))
    }

    @Test("A type name stands in one target")
    func typeNames() {
        expectNone(TypeNameRule.violations(in: Repository.sources))
    }

    @Test("Comments point at what a reader has, and begin with what a thing is")
    func references() {
        let known = Set(Repository.allPaths.compactMap { $0.split(separator: "/").last.map(String.init) })
        let files = Repository.files.filter { !$0.path.hasPrefix("Tests/") }
        expectNone(files.flatMap { ReferenceRule.violations(in: $0, known: known) })
    }

    @Test("Nothing is left unfinished")
    func unfinished() {
        expectNone(Repository.files.flatMap(FinishedWorkRule.violations))
    }

    @Test("Concurrency is structured or carries its proof")
    func concurrency() {
        expectNone(Repository.sources.flatMap(ConcurrencyRule.violations))
    }

    @Test("The storage keeps rows; rules decide in the core")
    func persistence() {
        expectNone(Repository.sources.flatMap(PersistenceRule.violations))
    }

    @Test("Secrets stay out of logs, errors, descriptions and arguments")
    func secrets() {
        expectNone(Repository.sources.flatMap(SecretRule.violations))
    }

    @Test("The SDK and the phone's commands take no name from reflection metadata")
    func reflection() {
        expectNone(Repository.sources.flatMap(ReflectionRule.violations))
    }

    @Test("What devices run needs no system newer than iOS 16 and macOS 13")
    func deployment() {
        expectNone(Repository.sources.flatMap(DeploymentRule.violations))
        let idle = DeploymentRule.idleGuards(in: Repository.sources)
        #expect(idle.isEmpty, "take them off DeploymentRule.guarded: \(idle.joined(separator: ", "))")
    }

    @Test("Only products are public, and no type of another package shows in them")
    func publicFace() {
        expectNone(Repository.sources.flatMap(PublicFaceRule.violations))
    }

    @Test("Paths are free of blanks, texts free of one machine's folders")
    func paths() {
        expectNone(Repository.allPaths.flatMap(PathRule.violations(inPath:)))
        let texts = Repository.allPaths.compactMap { path in Repository.text(of: path).map { (path, $0) } }
        expectNone(texts.flatMap { PathRule.violations(inText: $0.1, at: $0.0) })
    }

    private func expectNone(_ violations: [Violation], sourceLocation: SourceLocation = #_sourceLocation) {
        let list = violations.map(\.description).joined(separator: "\n")
        #expect(violations.isEmpty, "\n\(list)", sourceLocation: sourceLocation)
    }
}

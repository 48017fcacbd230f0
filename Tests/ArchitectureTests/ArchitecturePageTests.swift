import Testing

/// What `architecture.md`, `glossary.md` and `recipes.md` in `docs/contribute` say about files is compared with the tree.
@Suite("The pages for newcomers lead to files that exist")
struct ArchitecturePageTests {
    /// A path of the architecture page: its heading, how many stops it has today, and how many it is to have.
    private struct Path {
        let heading: String
        /// Stops today, which is the limit; it may only fall.
        let stops: Int
        let aim: Int
    }

    private static let paths = [
        Path(heading: "A registration response, from the socket to the commit", stops: 20, aim: 20),
        Path(heading: "A PIN, from the screen to the signature", stops: 17, aim: 17),
    ]

    private static let searchWords: Set = [
        "replay", "rate limit", "throttle", "audit", "access log", "pinning", "attestation", "facet", "counter",
        "channel binding", "transaction confirmation", "lockout", "key wrapping", "group commit", "migration",
        "webhook", "JWKS", "status polling", "push", "QR",
    ]

    private func page(_ path: String) throws -> MarkdownPage {
        MarkdownPage(try #require(House.text(of: path), "\(path) is missing"))
    }

    // MARK: - The two paths

    @Test("Every stop of the two paths is a file that has what the stop names, and no file is two stops")
    func stops() throws {
        let page = try page("docs/contribute/architecture.md")
        for path in Self.paths {
            let items = page.items(of: path.heading)
            let files = items.compactMap { MarkdownPage.paths(in: $0).first }
            #expect(files.count == items.count && Set(files).count == files.count, "\(path.heading)")
            for (index, item) in items.enumerated() {
                #expect(item.hasPrefix("\(index + 1). `"), "\(item)")
                let sources = MarkdownPage.sources(at: MarkdownPage.paths(in: item).first ?? "")
                #expect(sources.count == 1, "\(item)")
                let missing = try missingWords(of: try #require(MarkdownPage.names(in: item).first), in: sources)
                #expect(missing.isEmpty, "\(missing) are not in the file of stop \(index + 1)")
            }
        }
    }

    @Test("The two paths grow no longer; one that is shorter lowers its limit")
    func length() throws {
        let page = try page("docs/contribute/architecture.md")
        for path in Self.paths {
            let count = page.items(of: path.heading).count
            #expect(count <= path.stops, "\(path.heading): a stop more than before")
            #expect(count >= path.stops, "\(path.heading): lower the limit to \(count)")
            let text = page.section(path.heading).joined(separator: " ")
            #expect(text.contains("\(count) stops today; the aim is \(path.aim)."), "\(path.heading)")
        }
    }

    private func missingWords(of name: String, in sources: [SourceFile]) throws -> [String] {
        let code = try #require(sources.first).code
        let known = Set(MarkdownPage.words(of: code))
        return MarkdownPage.words(of: name).filter { !known.contains($0) }
    }

    // MARK: - Words

    @Test("Every search word has one file, whose name carries the word")
    func searchWords() throws {
        let rows = try page("docs/contribute/architecture.md").rows(of: "Where to begin, by the word of the field")
        #expect(rows.count == Self.searchWords.count && Set(rows.compactMap(\.first)) == Self.searchWords)
        for row in rows {
            try #require(row.count == 3, "\(row)")
            #expect(MarkdownPage.paths(in: row.joined(separator: " ")).count == 1, "\(row[0])")
            let sources = MarkdownPage.sources(at: MarkdownPage.paths(in: row[1]).first ?? "")
            #expect(sources.count == 1, "\(row[0])")
            let word = row[0].lowercased().filter { $0 != " " }
            let carries = sources.first?.name.lowercased().contains(word) == true
            #expect(carries, "\(row[0]): the name does not carry the word")
        }
    }

    @Test("The glossary has some seventy words, each once and with a file that declares what it names")
    func glossary() throws {
        let page = try page("docs/contribute/glossary.md")
        let rows = ["The protocol", "The server", "The phone"].flatMap { page.rows(of: $0) }
        #expect((60...80).contains(rows.count))
        #expect(Set(rows.compactMap(\.first)).count == rows.count)
        for row in rows {
            try #require(row.count == 3, "\(row)")
            let paths = MarkdownPage.paths(in: row[2])
            let source = try #require(MarkdownPage.sources(at: paths.first ?? "").first, "\(row[0])")
            #expect(paths.count == 1, "\(row[0])")
            let type = MarkdownPage.names(in: row[2]).first ?? source.name
            // The part of a name before the plus sign is the type that the file extends; it is then named in the row.
            let declared = source.code.matches(of: /\b(?:struct|enum|class|actor|protocol|typealias) (\w+)/)
            #expect(declared.contains { $0.1 == type }, "\(row[0]): \(source.path) declares no \(type)")
        }
    }

    // MARK: - Recipes

    @Test(
        "Every recipe has numbered steps and tests that stay red, and names files that exist",
        arguments: [
            "An endpoint", "A UAF check", "A setting", "An operation of the SDK", "An authenticator",
            "A library product of the SDK",
        ])
    func recipes(heading: String) throws {
        let page = try page("docs/contribute/recipes.md")
        let steps = page.items(of: heading)
        #expect(steps.count >= 5)
        let section = page.section(heading)
        let red = section.drop { $0 != "Red until done:" }
        #expect(red.contains { $0.contains("`Tests/") }, "\(heading) names no test")
        for path in MarkdownPage.paths(in: section.joined(separator: " ")) {
            let isFile = House.allPaths.contains(path) || MarkdownPage.sources(at: path).count == 1
            #expect(isFile, "\(path)")
        }
    }

    @Test("The glossary and the recipes are linked where newcomers begin")
    func links() throws {
        let architecture = try #require(House.text(of: "docs/contribute/architecture.md"))
        let contributing = try #require(House.text(of: "CONTRIBUTING.md"))
        for name in ["glossary", "recipes"] {
            #expect(architecture.contains("](\(name).md)"))
            #expect(contributing.contains("](docs/contribute/\(name).md)"))
        }
    }

    // MARK: - Reading

    @Test("A page is read by sections: items over several lines, rows without their head, paths and names apart")
    func reading() {
        let page = MarkdownPage(
            "# A\n1. `x/y`, `Z.f(a:)`: b\n   c\n2. d\n\n## B\n\n| w | f |\n| --- | --- |\n| e | |\n# C\n1. g\n")
        #expect(page.items(of: "A") == ["1. `x/y`, `Z.f(a:)`: b c", "2. d"])
        #expect(page.rows(of: "B") == [["e", ""]])
        #expect(page.items(of: "B").isEmpty && page.section("D").isEmpty)
        #expect(MarkdownPage.paths(in: "`x/y+z` `z` `/a/b`") == ["x/y+z"])
        #expect(MarkdownPage.names(in: "`x/y`, `Z.f(a:)`") == ["Z.f(a:)"])
        #expect(MarkdownPage.words(of: "Z.f(a:)") == ["Z", "f", "a"])
        #expect(MarkdownPage.sources(at: "UAF/TLV/TLV").map(\.path) == ["Sources/Protocol/UAF/TLV/TLV.swift"])
        #expect(MarkdownPage.sources(at: "UAF/TLV/NoSuchFile").isEmpty)
    }
}

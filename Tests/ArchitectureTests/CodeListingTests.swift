import Testing

@Suite("Every listing of the documentation is compiled")
struct CodeListingTests {
    /// Listings of the catalogues, of the documentation comments and of the pages under `docs`.
    private static let shown: [CodeListing] = {
        let pages = Repository.allPaths.filter { $0.hasSuffix(".md") && $0.contains(/^docs\/|\.docc\//) }
        return pages.flatMap { CodeListing.listings(inPage: Repository.text(of: $0) ?? "", at: $0) }
            + Repository.sources.flatMap(CodeListing.listings(inCommentsOf:))
    }()

    @Test("D-H3: code that the tests build stands for each listing of catalogues, documentation comments and pages")
    func played() {
        let files = Repository.files.filter { $0.components.contains("Played") }
        let played = Set(Self.shown.filter { listing in files.contains(where: listing.isPlayed) }.map(\.lines))
        let missing = Self.shown.filter { !played.contains($0.lines) }.map(\.place)
        #expect(!Self.shown.isEmpty && missing.isEmpty, "compiled nowhere:\n\(missing.joined(separator: "\n"))")
    }

    @Test("A listing has 15 lines at most")
    func lengths() {
        let long = Self.shown.filter { $0.lines.count > 15 }.map(\.place)
        #expect(long.isEmpty, "too long:\n\(long.joined(separator: "\n"))")
    }

    @Test("A listing is found in a page and in a comment, and in the code that stands for it")
    func samples() {
        let text =
            "```swift\nlet vault = Vault()\n```\n```\nnot Swift\n```\n\n```swift\nimport Keys\n\nvault.open {\n    use()\n}\n```"
        let comment = "/// A.\n///\n" + text.split(separator: "\n").map { "/// \($0)\n" }.joined() + "struct A {}\n"
        let source = SourceFile(path: "Sources/A/B.swift", text: comment)
        for shown in [CodeListing.listings(inPage: text, at: source.path), CodeListing.listings(inCommentsOf: source)] {
            #expect(shown.map(\.number) == [1, 2])
            #expect(shown.map(\.lines) == [["let vault = Vault()"], ["vault.open {", "    use()", "}"]])
            let second = SourceFile(
                path: "Tests/A/Played/C.swift", text: "func play() {\n    // Listing: B.swift 2\n}\n")
            #expect(shown.map { $0.isPlayed(in: second) } == [false, true])
            let first = SourceFile(
                path: "Tests/A/Played/C.swift", text: "// Listing: A/B.swift\n// Listing: C/B.swift 2\n")
            #expect(shown.map { $0.isPlayed(in: first) } == [true, false])
        }
    }
}

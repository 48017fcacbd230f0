import Testing

@Suite("Every listing of the documentation is compiled")
struct CodeListingTests {
    /// Listings of the catalogues, of the documentation comments and of the pages under `docs`.
    private static let shown: [CodeListing] = {
        let pages = Repository.allPaths.filter { $0.hasSuffix(".md") && $0.contains(/^docs\/|\.docc\//) }
        return pages.flatMap { CodeListing.listings(inPage: Repository.text(of: $0) ?? "", at: $0) }
            + Repository.sources.flatMap(CodeListing.listings(inCommentsOf:))
    }()

    private static let readme = CodeListing.listings(inPage: Repository.text(of: "README.md") ?? "", at: "README.md")

    private static let compiled = Repository.files.filter { !$0.isSource }.flatMap(CodeListing.compiled(in:))

    /// The places of listings whose lines are not those of any other.
    private func strangers(_ listings: [CodeListing], among others: [CodeListing]) -> [String] {
        let known = Set(others.map(\.lines))
        return listings.filter { !known.contains($0.lines) }.map(\.place)
    }

    @Test("D-H3: the listings of catalogues, documentation comments and pages are copies of code that the tests build")
    func shownListings() {
        let missing = strangers(Self.shown, among: Self.compiled)
        #expect(!Self.shown.isEmpty && missing.isEmpty, "compiled nowhere:\n\(missing.joined(separator: "\n"))")
    }

    @Test("Code that is built for a listing stands in the documentation")
    func compiledListings() {
        let idle = strangers(Self.compiled, among: Self.shown + Self.readme)
        #expect(idle.isEmpty, "shown nowhere:\n\(idle.joined(separator: "\n"))")
    }

    @Test("A listing has 15 lines at most")
    func lengths() {
        let long = Self.shown.filter { $0.lines.count > 15 }.map(\.place)
        #expect(long.isEmpty, "too long:\n\(long.joined(separator: "\n"))")
    }

    // MARK: - Samples

    private static let code = """
        func sample() {
            // Listing begins
            let vault = Vault()

            vault.open {
                use()
            }
            // Listing ends
        }
        """

    private func file(_ text: String) -> SourceFile { SourceFile(path: "Tests/A/B.swift", text: text) }

    @Test("A listing is found in a page and in a comment, wherever it is indented")
    func samples() {
        let compiled = CodeListing.compiled(in: file(Self.code))
        #expect(compiled.map(\.lines) == [["let vault = Vault()", "vault.open {", "    use()", "}"]])
        #expect(compiled.map(\.place) == ["Tests/A/B.swift:3"])
        let page = """
            ```swift
            import Keys

            let vault = Vault()

            vault.open {
                use()
            }
            ```
            ```
            not Swift
            ```
            """
        let comment = """
            /// A.
            ///
            /// ```swift
            /// let vault = Vault()
            ///
            /// vault.open {
            ///     use()
            /// }
            /// ```
            struct A {}

            """
        let shown =
            CodeListing.listings(inPage: page, at: "A.md") + CodeListing.listings(inCommentsOf: file(comment))
        #expect(shown.map(\.place) == ["A.md:2", "Tests/A/B.swift:4"])
        #expect(strangers(shown, among: compiled).isEmpty && strangers(compiled, among: shown).isEmpty)
    }

    @Test("A listing with a line that is not compiled, and one without its mark, are refused")
    func strangers() {
        let compiled = CodeListing.compiled(in: file(Self.code))
        let other = CodeListing.listings(inPage: "```swift\nlet vault = Vault()\n```\n", at: "A.md")
        #expect(strangers(other, among: compiled) == ["A.md:2"])
        #expect(strangers(compiled, among: other) == ["Tests/A/B.swift:3"])
        let unmarked = Self.code.replacing("// Listing begins", with: "let text = \"// Listing begins\"")
        #expect(CodeListing.compiled(in: file(unmarked)).isEmpty)
    }
}

import Testing

@Suite("Every library product has a catalogue in which its public types are found by their task")
struct CatalogueTests {
    /// The library products, as the manifest names them.
    private static let libraries: [String] = {
        let manifest = House.text(of: "Package.swift") ?? ""
        return manifest.matches(of: /\.library\(name: "(\w+)"/).map { String($0.1) }
    }()

    private func catalogue(of product: String) throws -> Catalogue {
        let pages = House.allPaths.filter { $0.hasSuffix(".md") && $0.contains("/\(product)/\(product).docc/") }
        return Catalogue(
            of: product,
            pages: Dictionary(
                uniqueKeysWithValues: try pages.map { ($0, try #require(House.text(of: $0), "\($0) is no text")) }))
    }

    @Test("The products of the manifest are those whose types are public")
    func products() {
        #expect(Set(Self.libraries) == PublicFaceRule.products)
    }

    @Test(
        "Links lead somewhere, each type stands in one group, and the first of a group has a listing",
        arguments: libraries)
    func catalogues(of product: String) throws {
        let files = House.sources.filter { $0.target == product }
        let violations = CatalogueRule.violations(in: try catalogue(of: product), of: files)
        #expect(violations.isEmpty, "\n\(violations.map(\.description).joined(separator: "\n"))")
    }

    // MARK: - Samples

    private static let source = """
        /// Store of keys.
        ///
        /// ```swift
        /// let vault = Vault()
        /// ```
        @MainActor
        public final class Vault: Sendable {
            public init?(at path: String = "a", _ limits: [Int: (Int, Int)] = [:]) { let x = 1 }
            public private(set) var count: Int { 0 }
            public static func == (one: Vault, other: Vault) -> Bool { true }
            func hidden() {}
            private enum Secret { case never }
            public subscript(name: String) -> Int { 0 }
        }
        public import Other
        public enum Reason: Error { case lost, damaged(at: Int, String) }
        extension Vault.Inner { public func run<Value>(_ body: () -> Value) -> Value { body() } }
        public protocol Port { associatedtype Value; var value: Value { get }; func open() }
        struct Internal { public var shown = 1 }
        """

    private func sample(_ text: String, at path: String = "Sources/Device/Keys/Sample.swift") -> SourceFile {
        SourceFile(path: path, text: text)
    }

    @Test("Public declarations are read with the names that DocC gives them, and no others")
    func symbols() {
        let symbols = PublicSymbols([sample(Self.source)])
        for link in [
            "Vault", "Vault/init(at:_:)", "Vault/count", "Vault/==(_:_:)", "Vault/subscript(_:)", "Reason/lost",
            "Reason/damaged(at:_:)", "Vault/Inner/run(_:)", "Port/value", "Port/open()", "Port/Value", "Keys/Vault",
            "Keys", "Vault/count-swift.property",
        ] { #expect(symbols.resolve(link, in: "Keys"), "\(link) is not found") }
        for link in [
            "Vault/hidden()", "Vault/init(at:)", "Vault/x", "Vault/Secret", "Reason/damaged", "Internal", "Other",
        ] { #expect(!symbols.resolve(link, in: "Keys"), "\(link) is found") }
        #expect(symbols.resolve("count", in: "Keys", from: ["Keys", "Vault"]))
        #expect(!symbols.resolve("count", in: "Keys", from: ["Keys", "Reason"]))
        #expect(symbols.topLevelTypes.values.joined().map(\.name) == ["Vault", "Reason", "Port"])
    }

    private static let page = """
        # ``Keys``

        Keys that cannot be
        exported.

        ## Overview

        ```swift
        let vault = Vault()  // ``Nothing``
        ```

        See <doc:Recovery> and ``Vault/count``.

        ## Topics

        ### Vaults

        - ``Vault``
        - ``Port``
        - ``Reason``
        - <doc:Recovery>
        """

    private func violations(_ page: String = Self.page, _ source: String = Self.source) -> [String] {
        let pages = ["Keys.docc/Keys.md": page, "Keys.docc/Recovery.md": "# Recovery\n\nAfter ``Reason/lost``.\n"]
        return CatalogueRule.violations(in: Catalogue(of: "Keys", pages: pages), of: [sample(source)]).map(\.rule)
    }

    /// The violations of the page with a part replaced.
    private func violations(with part: String, for other: String) -> [String] {
        violations(Self.page.replacing(other, with: part))
    }

    @Test("A catalogue as it should be is accepted")
    func accepted() {
        #expect(violations() == [])
    }

    @Test("A link that leads nowhere is refused, to a symbol and to a page")
    func deadLinks() {
        #expect(violations(with: "``Vault/size``", for: "``Vault/count``") == ["Vault/size leads nowhere"])
        #expect(violations(with: "See <doc:Loss>", for: "See <doc:Recovery>") == ["Loss leads nowhere"])
    }

    @Test("A public type, and an article, that stands in no group or in two is refused")
    func groups() {
        #expect(violations(with: "", for: "- ``Port``\n") == ["Port stands in no group of the catalogue"])
        #expect(violations(with: "", for: "- <doc:Recovery>") == ["the article stands in no group of the catalogue"])
        let twice = "Port stands in several groups"
        #expect(
            violations(Self.page + "\n### Ports\n\n- ``Port``\n")
                == [twice, twice, "Port begins a group and has no listing"])
    }

    @Test("A main type without a listing is refused")
    func mainTypes() {
        let bare = Self.source.replacing("/// ```swift", with: "/// ```")
        #expect(violations(Self.page, bare) == ["Vault begins a group and has no listing"])
    }

    @Test("A catalogue without its page, and a page without sentence, listing or topics, are refused")
    func shapes() {
        #expect(violations(with: "# Keys", for: "# ``Keys``").count == 1)
        #expect(violations(with: "exported", for: "exported.") == ["the abstract is not one sentence"])
        #expect(violations(with: "```", for: "```swift") == ["the overview has no listing"])
        #expect(violations(with: "## More", for: "## Overview") == ["the sections are not Overview and Topics"])
    }
}

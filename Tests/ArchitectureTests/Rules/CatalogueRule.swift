/// Documentation of a library product: a catalogue whose links lead somewhere and in which a reader finds every public
/// type by its task, and a code listing on the main type of each task.
enum CatalogueRule {
    /// Violations in the catalogue of a product whose sources are `files`.
    static func violations(in catalogue: Catalogue, of files: [SourceFile]) -> [Violation] {
        guard let root = catalogue.root else {
            return [Violation(catalogue.product, 1, "there is no page about the product in its catalogue")]
        }
        let symbols = PublicSymbols(files)
        return shape(of: root) + unresolved(in: catalogue, symbols) + uncurated(in: catalogue, symbols)
            + unlisted(in: root, symbols, files)
    }

    /// Whether the page about the product says in one sentence what it is, and shows how it is used.
    private static func shape(of root: Catalogue.Page) -> [Violation] {
        var faults: [String] = []
        let isSentence = root.abstract.hasSuffix(".") && !root.abstract.contains(". ")
        if !isSentence { faults.append("the abstract is not one sentence") }
        if root.sections != ["Overview", "Topics"] { faults.append("the sections are not Overview and Topics") }
        if root.listingCount == 0 { faults.append("the overview has no listing") }
        return faults.map { Violation(root.path, 1, $0) }
    }

    private static func unresolved(in catalogue: Catalogue, _ symbols: PublicSymbols) -> [Violation] {
        let names = Set(catalogue.pages.map(\.name))
        return catalogue.pages.flatMap { page in
            page.links.filter { link in
                link.isPage
                    ? !names.contains(link.target)
                    : !symbols.resolve(link.target, in: catalogue.product, from: page.symbol)
            }.map { Violation(page.path, $0.line, "\($0.target) leads nowhere") }
        }
    }

    /// Public types and articles that do not stand in one group, and in one only.
    private static func uncurated(in catalogue: Catalogue, _ symbols: PublicSymbols) -> [Violation] {
        let places = catalogue.pages.flatMap { page in
            page.groups.flatMap(\.links).map { link in
                (page.path, link, path(of: link.target, on: page, in: catalogue.product))
            }
        }
        let counts = Dictionary(grouping: places, by: { $0.2 }).mapValues(\.count)
        let repeated = places.filter { counts[$0.2, default: 0] > 1 }.map {
            Violation($0.0, $0.1.line, "\($0.1.target) stands in several groups")
        }
        let types = symbols.topLevelTypes.sorted { $0.key < $1.key }.flatMap { path, types in
            types.filter { counts[$0.name] == nil }.map {
                Violation(path, $0.line, "\($0.name) stands in no group of the catalogue")
            }
        }
        let articles = catalogue.pages.filter { $0.symbol.isEmpty && counts[$0.name] == nil }.map {
            Violation($0.path, 1, "the article stands in no group of the catalogue")
        }
        return repeated + types + articles
    }

    /// The path of a target inside the module; a class of the module's name keeps its own.
    private static func path(of target: String, on page: Catalogue.Page, in product: String) -> String {
        let isAboutSymbol = !page.symbol.isEmpty && page.symbol != [product]
        let whole = isAboutSymbol ? page.symbol.joined(separator: "/") + "/" + target : target
        return whole.hasPrefix(product + "/") ? String(whole.dropFirst(product.count + 1)) : whole
    }

    /// Main types, those that begin a group, whose documentation comment has no listing.
    private static func unlisted(
        in root: Catalogue.Page, _ symbols: PublicSymbols, _ files: [SourceFile]
    ) -> [Violation] {
        let types = symbols.topLevelTypes
        let main = Set(
            root.groups.compactMap { group in
                group.links.first.flatMap { $0.isPage ? nil : $0.target.split(separator: "/").last.map(String.init) }
            })
        return files.flatMap { file in
            types[file.path, default: []].filter { main.contains($0.name) }
                .filter { !comment(above: $0.line, in: file).contains("/// ```swift") }
                .map { Violation(file.path, $0.line, "\($0.name) begins a group and has no listing") }
        }
    }

    /// The lines of the documentation comment of a declaration, above its attributes.
    private static func comment(above line: Int, in file: SourceFile) -> [String] {
        let lines = file.text.split(separator: "\n", omittingEmptySubsequences: false)
            .map { String($0.trimmingPrefix { $0 == " " }) }
        let before = lines.prefix(line - 1).reversed().drop { $0.hasPrefix("@") }
        return before.prefix { $0.hasPrefix("///") }.map { $0 }
    }
}

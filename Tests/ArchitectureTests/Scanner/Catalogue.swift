/// DocC catalogue of a product: its pages with their links, and the groups of its topics.
struct Catalogue {
    /// Link to a symbol or a page, with the line it stands on.
    struct Link: Hashable {
        var target: String
        var line: Int
        /// Whether it leads to a page of the catalogue, not to a symbol.
        var isPage = false
    }

    /// Topic group of a page.
    struct Group {
        var heading: String
        var links: [Link] = []
    }

    /// Page of a catalogue.
    struct Page {
        let path: String
        /// The text of the first heading.
        var title = ""
        /// The paragraph below the title, as one line.
        var abstract = ""
        /// Headings of the second level.
        var sections: [String] = []
        /// Every link outside of code.
        var links: [Link] = []
        /// Groups below the heading "Topics".
        var groups: [Group] = []
        /// Number of Swift listings.
        var listingCount = 0

        /// The name that other pages link to.
        var name: String {
            String((path.split(separator: "/").last ?? "").prefix { $0 != "." })
        }
        /// The path of the symbol that the page is about; empty for an article.
        var symbol: [String] {
            guard title.hasPrefix("``") else { return [] }
            return title.filter { $0 != "`" }.split(separator: "/").map(String.init)
        }
    }

    let product: String
    let pages: [Page]

    /// Takes the texts of the pages by their paths.
    init(of product: String, pages: [String: String]) {
        self.product = product
        self.pages = pages.sorted { $0.key < $1.key }.map { Self.page($0.value, at: $0.key) }
    }

    /// The page about the product itself.
    var root: Page? { pages.first { $0.symbol == [product] } }

    // MARK: - Reading

    private static func page(_ text: String, at path: String) -> Page {
        var page = Page(path: path)
        var isCode = false
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        for (index, line) in lines.enumerated() {
            if line.hasPrefix("```") {
                if line == "```swift" { page.listingCount += 1 }
                isCode.toggle()
            } else if !isCode {
                add(line, at: index + 1, to: &page)
            }
        }
        page.abstract = String(page.abstract.dropFirst())
        return page
    }

    private static func add(_ line: String, at number: Int, to page: inout Page) {
        let links = links(in: line, at: number)
        if page.title.isEmpty, line.hasPrefix("# ") {
            page.title = String(line.dropFirst(2))
            return
        }
        page.links += links
        if line.hasPrefix("## ") { page.sections.append(String(line.dropFirst(3))) }
        if page.sections.isEmpty, !line.isEmpty { page.abstract += " " + line }
        guard page.sections.last == "Topics" else { return }
        if line.hasPrefix("### ") { page.groups.append(Group(heading: String(line.dropFirst(4)))) }
        if line.hasPrefix("- "), !page.groups.isEmpty { page.groups[page.groups.count - 1].links += links }
    }

    private static func links(in line: String, at number: Int) -> [Link] {
        let symbols = line.matches(of: /``([^`]+)``/).map { Link(target: String($0.1), line: number) }
        let pages = line.matches(of: /<doc:([\w-]+)>/).map { Link(target: String($0.1), line: number, isPage: true) }
        return symbols + pages
    }
}

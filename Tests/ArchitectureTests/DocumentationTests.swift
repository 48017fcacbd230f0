import Foundation
import Testing

@Suite("The documentation says what is there")
struct DocumentationTests {
    private func text(_ path: String) throws -> String {
        try #require(Repository.text(of: path), "\(path) is missing")
    }

    @Test("D-H3: the program of the README is the one that is run")
    func readmeProgram() throws {
        let blocks = CodeListing.listings(inPage: try text("README.md"), at: "README.md")
        let program = ReadmeBlock(
            Substring(try text("Tests/ReadmeProgram/main.swift").replacing(/(^|\n)import \w+\n+/, with: "\n")))
        #expect(blocks.map(\.lines) == [program.filledLines])
        #expect(blocks.allSatisfy { $0.lines.count <= 15 })
        // "A program of ten lines": statements begin at the margin, and what goes on is indented.
        #expect(program.filledLines.filter { !$0.hasPrefix(" ") }.count <= 10)
    }

    @Test("Every script that the documentation names exists and can be run")
    func scripts() throws {
        let pages = Repository.allPaths.filter { $0.hasPrefix("docs/") && $0.hasSuffix(".md") }
        for path in ["README.md", "CONTRIBUTING.md", ".ci/run"] + pages {
            for match in try text(path).matches(of: /\bscript\/([a-z\/-]+)/) {
                let script = Repository.root.appending(path: "script/\(match.1)").path()
                #expect(FileManager.default.isExecutableFile(atPath: script), "\(path) names script/\(match.1)")
            }
        }
    }

    @Test("Every page that a page links to exists")
    func links() throws {
        for path in Repository.allPaths where path.hasSuffix(".md") {
            let folder = Repository.root.appending(path: path).deletingLastPathComponent()
            for match in try text(path).matches(of: /\]\(([^):#]+\.md)(?:#[^)]*)?\)/) {
                let target = folder.appending(path: String(match.1)).standardizedFileURL.path()
                let isFile = FileManager.default.fileExists(atPath: target)
                #expect(isFile, "\(path) links to \(match.1)")
            }
        }
    }

    @Test(
        "Every source file that the pages for newcomers name exists",
        arguments: ["docs/contribute/architecture.md", "docs/contribute/glossary.md", "docs/contribute/recipes.md"])
    func files(page: String) throws {
        let paths = MarkdownPage(try text(page)).paths.filter { !$0.contains("NAME") }
        #expect(!paths.isEmpty)
        #expect(Set(paths).subtracting(Self.endsOfPaths).isEmpty)
    }

    /// Ends of the paths of files and folders, from each folder on, and without the ending of the name as well.
    private static let endsOfPaths: Set<String> = {
        var ends: Set<String> = []
        for path in Repository.allPaths {
            let parts = path.split(separator: "/")
            for (start, end) in parts.indices.flatMap({ start in (start..<parts.endIndex).map { (start, $0) } }) {
                let whole = parts[start...end].joined(separator: "/")
                ends.insert(whole)
                if let dot = whole.lastIndex(of: ".") { ends.insert(String(whole[..<dot])) }
            }
        }
        return ends
    }()

    @Test("Each library product has a catalogue, and each of its public types stands there in a topic group")
    func catalogues() {
        for product in PublicFaceRule.products {
            let pages = Repository.allPaths.filter { $0.hasSuffix(".md") && $0.contains("/\(product).docc/") }
            let listed = Set(
                pages.compactMap(Repository.text).joined().matches(of: /\n- ``(?:\w+\/)*(\w+)``/).map { String($0.1) })
            let types = Repository.sources.filter { $0.target == product }.flatMap(\.types).filter(\.isPublic).map(
                \.name)
            #expect(!listed.isEmpty && Set(types).subtracting(listed).isEmpty, "\(product)")
        }
    }

    @Test("Every decision has a page with a question, a choice and what would change it, and stands in the index")
    func decisions() throws {
        let index = try text("docs/decisions/README.md")
        let pages = Repository.allPaths.filter { $0.contains(/^docs\/decisions\/[0-9]{4}-/) }
        #expect(!pages.isEmpty)
        for page in pages {
            let body = try text(page)
            #expect(body.contains("**Question.**") && body.contains("**What would change it.**"), "\(page)")
            #expect(body.contains(/\*\*Choice/), "\(page)")
            #expect(index.contains(page.split(separator: "/").last ?? ""), "\(page) is not in the index")
        }
    }

    @Test(
        "Every test that a page names as a proof exists",
        arguments: ["docs/security/threat-model.md", "docs/web/openid-conformance.md"])
    func proofs(page: String) throws {
        let named = try text(page).matches(of: /`(\w+Tests)(?:\/(\w+))?`/)
        #expect(!named.isEmpty)
        for test in named {
            let suites = Repository.files.filter {
                !$0.isSource && ($0.target == test.1 || $0.code.contains("struct \(test.1) "))
            }
            let isThere = suites.contains { suite in test.2.map { suite.code.contains("func \($0)(") } ?? true }
            #expect(isThere, "\(test.0)")
        }
    }

    @Test("Every target stands in the architecture page")
    func targets() throws {
        let page = try text("docs/contribute/architecture.md")
        let missing = ImportTable.repository.rows.keys.filter {
            !page.contains("`\($0)`") && $0.first?.isUppercase == true
        }
        #expect(missing.isEmpty)
    }
}

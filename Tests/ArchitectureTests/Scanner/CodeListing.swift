import Foundation

/// Swift listing of the documentation, or the compiled code that it is a copy of.
struct CodeListing {
    /// Path and line.
    let place: String
    /// The lines that hold code, free of the indentation they have where they stand.
    let lines: [String]

    private init(path: String, line: Int, text: [String]) {
        place = "\(path):\(line)"
        lines = ReadmeBlock(text.joined(separator: "\n")[...]).filledLines
    }

    /// The listings of a page, without import lines: a function cannot have them.
    static func listings(inPage text: String, at path: String) -> [CodeListing] {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        return blocks(in: lines, from: { $0 == "```swift" }, to: { $0 == "```" }).map { first, block in
            CodeListing(path: path, line: first, text: block.filter { $0.wholeMatch(of: /import \w+/) == nil })
        }
    }

    /// The listings of the documentation comments of a file.
    static func listings(inCommentsOf file: SourceFile) -> [CodeListing] {
        guard file.text.contains("/// ```swift") else { return [] }
        var lines = [String](repeating: "", count: file.lineCount + 1)
        for comment in file.comments where comment.text.hasPrefix("///") {
            lines[comment.line - 1] = String(comment.text.dropFirst(comment.text.hasPrefix("/// ") ? 4 : 3))
        }
        return listings(inPage: lines.joined(separator: "\n"), at: file.path)
    }

    /// The code of a file between the comments "Listing begins" and "Listing ends".
    static func compiled(in file: SourceFile) -> [CodeListing] {
        let marks = Set(file.comments.filter { $0.text.hasPrefix("// Listing ") }.map(\.line))
        guard !marks.isEmpty else { return [] }
        let lines = file.text.split(separator: "\n", omittingEmptySubsequences: false).enumerated().map { index, line in
            marks.contains(index + 1) ? line.trimmingCharacters(in: .whitespaces) : String(line)
        }
        return blocks(in: lines, from: { $0 == "// Listing begins" }, to: { $0 == "// Listing ends" }).map {
            CodeListing(path: file.path, line: $0.first, text: $0.block)
        }
    }

    /// The lines between a line that begins a block and the one that ends it, with the number of the first.
    private static func blocks(
        in lines: [String], from begins: (String) -> Bool, to ends: (String) -> Bool
    ) -> [(first: Int, block: [String])] {
        var found: [(first: Int, block: [String])] = []
        var isInside = false
        for (index, line) in lines.enumerated() {
            if isInside, ends(line) {
                isInside = false
            } else if isInside {
                found[found.count - 1].block.append(line)
            } else if begins(line) {
                isInside = true
                found.append((index + 2, []))
            }
        }
        return found
    }
}

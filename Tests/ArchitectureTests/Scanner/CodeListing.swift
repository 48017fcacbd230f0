/// Swift listing of the documentation.
struct CodeListing {
    let path: String
    /// Which one of the page or file it is, from 1.
    let number: Int
    /// The lines that hold code, without those that import.
    let lines: [String]

    var place: String { "\(path), listing \(number)" }

    /// The listings of a page.
    static func listings(inPage text: String, at path: String) -> [CodeListing] {
        text.matches(of: /(?ms)^```swift\n(.*?)^```$/).enumerated().map { index, match in
            let lines = ReadmeBlock(match.1).filledLines.filter { $0.wholeMatch(of: /import \w+/) == nil }
            return CodeListing(path: path, number: index + 1, lines: lines)
        }
    }

    /// The listings of the documentation comments of a file.
    static func listings(inCommentsOf file: SourceFile) -> [CodeListing] {
        guard file.text.contains("/// ```swift") else { return [] }
        let comments = file.comments.filter { $0.text.hasPrefix("///") }.map { String($0.text.dropFirst(4)) }
        return listings(inPage: comments.joined(separator: "\n"), at: file.path)
    }

    /// Whether a file stands for it with a comment, which script/maintain/listings replaces by the listing.
    func isPlayed(in file: SourceFile) -> Bool {
        file.comments.contains { comment in
            guard let mark = comment.text.wholeMatch(of: /\/\/ Listing: (\S+?)(?: (\d+))?/) else { return false }
            return "/\(path)".hasSuffix("/\(mark.1)") && (mark.2.flatMap { Int($0) } ?? 1) == number
        }
    }
}

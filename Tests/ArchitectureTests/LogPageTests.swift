import Testing

/// Compares the catalogue of messages with the sources that write them.
@Suite("Every message of the server's log stands in the document")
struct LogPageTests {
    /// Messages of the server's log from `notice` on, with the weights at which they are written; what is filled in is `…`.
    @Test("docs/operate/log.md has every message of the log with its weight, and no other")
    func log() throws {
        var written: Set<String> = []
        let folders = ["Sources/Server/", "Sources/Commands/ServerCommands/", "Sources/Commands/ServerCommandSupport/"]
        for file in Repository.sources where folders.contains(where: file.path.hasPrefix) && file.target != "PushSink" {
            let calls = /\.(notice|warning|error|critical)\(\s*"((?:[^"\\]|\\\([^)]*\)|\\.)*)"/
            for call in file.text.matches(of: calls) {
                let message = String(call.2).replacing(/\\\([^)]*\)/, with: "…")
                written.insert("\(message) | \(call.1)")
            }
        }
        let page = try #require(Repository.text(of: "docs/operate/log.md"))
        let told = page.matches(of: /\n\| `([^`]+)` \| (\w+(?:, \w+)*) \|/).flatMap { row in
            row.2.split(separator: ", ").map { "\(row.1) | \($0)" }
        }
        #expect(told.count == Set(told).count)
        #expect(Set(told).symmetricDifference(written).sorted() == [])
    }
}

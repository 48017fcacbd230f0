import Foundation

/// The commands that a document of this project tells its readers to type.
///
/// Blocks with the language `sh` hold commands, one on each line; a backslash at the end goes on in the next line, and
/// what stands behind two blanks and a `#` is for the reader. A block with the language `yaml` whose first line is
/// `# NAME.yml` is a file that the reader saves under that name. A block with the language `haproxy` is a part of the
/// configuration of HAProxy.
struct DocumentedCommands {
    /// The first words of commands, which have to stand in a block with a language.
    private static let programs = [
        "signet ", "signet-server ", "signet-push-sink ", "script/", "apt-get ", "curl ", "swift ",
    ]

    /// The commands in the order of the document.
    let commands: [String]
    /// Names and contents of the files.
    let files: [String: String]
    /// Parts of configurations of HAProxy.
    let proxies: [String]
    /// Commands in blocks without a language, where no test looks for them.
    let strays: [String]

    /// Reads a document; `name` is its path in the project.
    init(_ name: String) throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..")
        self.init(markdown: try String(contentsOf: root.appending(path: name), encoding: .utf8))
    }

    init(markdown: String) {
        var (commands, files, strays): ([String], [String: String], [String]) = ([], [:], [])
        var proxies: [String] = []
        var block: (language: String, lines: [String])?
        for line in markdown.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) {
            guard line.hasPrefix("```") else {
                block?.lines.append(line)
                continue
            }
            guard let finished = block else {
                block = (String(line.dropFirst(3)), [])
                continue
            }
            block = nil
            switch finished.language {
            case "sh": commands += Self.commands(in: finished.lines)
            case "yaml": files.merge(Self.file(finished.lines)) { _, new in new }
            case "haproxy": proxies.append(finished.lines.joined(separator: "\n") + "\n")
            default: strays += finished.lines.filter { line in Self.programs.contains { line.hasPrefix($0) } }
            }
        }
        (self.commands, self.files, self.strays) = (commands, files, strays)
        self.proxies = proxies
    }

    private static func commands(in lines: [String]) -> [String] {
        var commands: [String] = []
        var pending = ""
        for line in lines {
            let text = line.trimmingCharacters(in: .whitespaces)
            if text.hasSuffix("\\") {
                pending += text.dropLast()
                continue
            }
            let command = (pending + text).replacing(#/ +# .*$/#, with: "").trimmingCharacters(in: .whitespaces)
            pending = ""
            if !command.isEmpty, !command.hasPrefix("#") { commands.append(command) }
        }
        return commands
    }

    private static func file(_ lines: [String]) -> [String: String] {
        guard let first = lines.first, let name = first.wholeMatch(of: #/# ([a-z-]+\.yml)/#) else { return [:] }
        return [String(name.1): lines.joined(separator: "\n") + "\n"]
    }
}

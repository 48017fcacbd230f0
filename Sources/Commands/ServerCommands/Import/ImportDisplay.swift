import CommandSupport
import Foundation
import ServerAdministration
import ServerCore
import Synchronization
import UAFService

/// Progress of an import on standard error: bad lines as they are found, and in a terminal a bar.
final class ImportDisplay: Sendable {
    private static let width = 30

    private let kind: ImportKind
    private let lines: Int
    private let showsLines: Bool
    private let isInTerminal = isatty(STDERR_FILENO) == 1
    private let shown = Mutex(0)

    /// `lines` is the number of lines of the file.
    init(kind: ImportKind, lines: Int, showsLines: Bool) {
        (self.kind, self.lines, self.showsLines) = (kind, lines, showsLines)
    }

    /// Shows how much is done, and the bad lines that were not shown.
    func show(_ report: FileImport.Report) {
        let fresh = shown.withLock { shown in
            defer { shown = report.badLines.count }
            return report.badLines.dropFirst(shown)
        }
        end()
        if showsLines {
            for line in fresh { StandardError.write("\(kind.entryName) \(line.number): \(line.reason)\n") }
        }
        if isInTerminal { StandardError.write(bar(report)) }
    }

    /// The number of lines of one document says nothing.
    private func bar(_ report: FileImport.Report) -> String {
        guard kind != .keycloak, lines > 0 else { return "\(report.progress.entries) objects …" }
        let share = min(1, Double(report.last) / Double(lines))
        let done = Int(share * Double(Self.width))
        let bar = String(repeating: "#", count: done) + String(repeating: ".", count: Self.width - done)
        return "[\(bar)] \(Int(share * 100)) %"
    }

    func end() { if isInTerminal { StandardError.write("\r\u{1B}[K") } }
}

import Synchronization

/// Lines that come while a person is being asked something, to be shown above what they write.
final class TerminalNotices: Sendable {
    private let lines = Mutex<[String]>([])
    /// Readable while there may be lines; a bell rings once, so each turn has its own.
    private let bells = Mutex<TerminalBell?>(nil)

    /// Adds a line; a terminal that waits is woken.
    func post(_ line: String) {
        lines.withLock { $0.append(line) }
        bells.withLock { $0?.ring() }
    }

    /// What has come since the last time.
    func take() -> [String] {
        lines.withLock { lines in
            defer { lines = [] }
            return lines
        }
    }

    /// The bell of the next line; one that rings already when lines wait.
    func nextBell() -> TerminalBell? {
        let bell = TerminalBell()
        bells.withLock { $0 = bell }
        if lines.withLock({ !$0.isEmpty }) { bell?.ring() }
        return bell
    }
}

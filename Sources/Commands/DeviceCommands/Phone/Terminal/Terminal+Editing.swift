import MobileAuthentication
import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Line editing: the terminal delivers every key, and this extension draws the line.
extension Terminal {
    /// Parameters of a line under edit.
    struct Editing {
        /// Prompt before the line.
        var prompt: String
        /// Whether an empty line is written above the prompt.
        var isSpaced = false
        /// History of earlier lines, the oldest first.
        var history: [String] = []
        /// Completions of Tab at the beginning of the line.
        var words: [String] = []
        /// Queue of notices that are shown above the line.
        var notices: TerminalNotices?
    }

    private static let clearToEnd = "\u{1B}[K"
    private static let alert = "\u{7}"

    /// Waits for a line that the user edits; a terminal that cannot move the cursor (`TERM=dumb`) reads it as it is
    /// typed.
    nonisolated func readLine(_ editing: Editing) async -> Reply {
        guard !Task.isCancelled else { return .interrupted }
        let name = getenv("TERM").map { String(cString: $0) } ?? "dumb"
        guard name != "dumb" else {
            show(editing.notices)
            return await ask((editing.isSpaced ? "\n" : "") + editing.prompt)
        }
        guard let bell = TerminalBell() else { return .ended }
        return await withTaskCancellationHandler {
            await edited(editing, until: bell)
        } onCancel: {
            bell.ring()
        }
    }

    private nonisolated func show(_ notices: TerminalNotices?) {
        for line in notices?.take() ?? [] { say(Self.alert + line + "\n") }
    }

    private func edited(_ editing: Editing, until bell: TerminalBell) -> Reply {
        var before = termios()
        guard tcgetattr(descriptor, &before) == 0 else { return .ended }
        var during = before
        during.c_lflag &= ~tcflag_t(ICANON | ECHO | ISIG | IEXTEN)
        guard tcsetattr(descriptor, TCSADRAIN, &during) == 0 else { return .ended }
        defer { tcsetattr(descriptor, TCSADRAIN, &before) }
        show(editing.notices)
        say((editing.isSpaced ? "\n" : "") + editing.prompt)
        var editor = LineEditor(history: editing.history, words: editing.words)
        var reader = TerminalKeyReader()
        while true {
            let notice = editing.notices?.nextBell()
            switch wait(until: [bell, notice].compactMap(\.self)) {
            case .bell(let rung) where rung === bell: return .interrupted
            case .bell:
                say("\r" + Self.clearToEnd)
                show(editing.notices)
                draw(editor, editing.prompt)
            case .input:
                guard let byte = readByte() else { return .ended }
                if let reply = obey(reader.keys(from: [byte]), &editor, editing.prompt) { return reply }
            case .failed: return .ended
            }
        }
    }

    /// Applies keys; returns the reply when the line is complete.
    private func obey(_ keys: [TerminalKey], _ editor: inout LineEditor, _ prompt: String) -> Reply? {
        for key in keys {
            switch editor.press(key) {
            case .nothing: break
            case .appended(let character):
                if editor.characters.count < room(behind: prompt) {
                    say(String(character))
                } else {
                    draw(editor, prompt)
                }
            case .changed, .redraw: draw(editor, prompt)
            case .candidates(let words):
                say("\n" + words.joined(separator: "  ") + "\n")
                draw(editor, prompt)
            case .submitted:
                say("\n")
                return .line(SecretBytes(copying: Array(editor.text.utf8)))
            case .interrupted: return .interrupted
            case .ended: return .ended
            }
        }
        return nil
    }

    private func draw(_ editor: LineEditor, _ prompt: String) {
        let (text, cursor) = editor.view(columns: room(behind: prompt))
        let back = text.count - cursor
        say("\r" + prompt + text + Self.clearToEnd + (back > 0 ? "\u{1B}[\(back)D" : ""))
    }

    /// Number of columns that remain for the line behind the prompt.
    private func room(behind prompt: String) -> Int {
        var size = winsize()
        let isKnown = ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0
        return max(8, (isKnown ? Int(size.ws_col) : 80) - prompt.count)
    }
}

/// Queue of notices that arrive while the user is at a prompt, to be shown above it.
final class TerminalNotices: Sendable {
    private let lines = Mutex<[String]>([])
    /// Bell of the terminal's present wait; a bell rings once, so each wait has its own.
    private let bells = Mutex<TerminalBell?>(nil)

    /// Adds a notice and wakes a waiting terminal.
    func post(_ line: String) {
        lines.withLock { $0.append(line) }
        bells.withLock { $0?.ring() }
    }

    /// Removes and returns the notices since the last call.
    func take() -> [String] {
        lines.withLock { lines in
            defer { lines = [] }
            return lines
        }
    }

    /// Bell of the next notice, which has rung already when notices are waiting.
    func nextBell() -> TerminalBell? {
        let bell = TerminalBell()
        bells.withLock { $0 = bell }
        if lines.withLock({ !$0.isEmpty }) { bell?.ring() }
        return bell
    }
}

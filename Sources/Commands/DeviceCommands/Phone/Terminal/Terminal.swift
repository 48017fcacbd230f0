import CommandSupport
import Foundation
import HardwareKeys
import MobileAuthentication
import Octets
import Synchronization

/// Controlling terminal of the process, on which one question is asked after the other.
///
/// The terminal collects the line, with its own editing keys. Reading blocks, so it runs on a separate thread:
/// meanwhile operations can end, time out or be cancelled, which withdraws the question. Ctrl-C answers a question, and
/// ends nothing else.
actor Terminal {
    enum Reply: Sendable {
        case line(SecretBytes)
        /// Ctrl-C, or the question was withdrawn.
        case interrupted
        /// Ctrl-D, or the terminal was closed.
        case ended
    }

    /// Maximum length of a line that a terminal delivers.
    private static let lineLimit = 4096
    private static let interruption: UInt8 = 0x03
    private static let alert = "\u{7}"

    private nonisolated let thread = BlockingThread()
    nonisolated let descriptor: Int32

    nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

    /// Opens the terminal; nil when the process has none, or is not interactive because its input is redirected.
    init?() {
        guard isatty(STDIN_FILENO) == 1 else { return nil }
        let descriptor = open("/dev/tty", O_RDWR | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        self.descriptor = descriptor
    }

    deinit { close(descriptor) }

    nonisolated func say(_ text: TerminalText) { control(text.description) }

    nonisolated func say(_ text: String) { control(ForeignText.page(text)) }

    /// Writes text in which control characters are meant for the terminal.
    nonisolated func control(_ text: String) { _ = SystemWrite.all(Array(text.utf8), to: descriptor) }

    /// Shows `question` and waits for a line; a hidden one is not echoed.
    ///
    /// Notices that arrive meanwhile are shown with the question below them; what the user has typed is kept. Returns
    /// `interrupted` when the task is cancelled.
    nonisolated func ask(
        _ question: String, isHidden: Bool = false, announcing notices: TerminalNotices? = nil
    ) async -> Reply {
        guard !Task.isCancelled else { return .interrupted }
        guard let bell = TerminalBell() else { return .ended }
        return await withTaskCancellationHandler {
            await reply(to: question, isHidden: isHidden, announcing: notices, until: bell)
        } onCancel: {
            bell.ring()
        }
    }

    private func reply(
        to question: String, isHidden: Bool, announcing notices: TerminalNotices?, until bell: TerminalBell
    ) -> Reply {
        var before = termios()
        guard tcgetattr(descriptor, &before) == 0 else { return .ended }
        var during = before
        if isHidden { during.c_lflag &= ~tcflag_t(ECHO) }
        // Ctrl-C ends the line as its last character instead of sending a signal to the process.
        during.c_lflag &= ~tcflag_t(ISIG)
        Self.setLineEnd(Self.interruption, in: &during)
        guard tcsetattr(descriptor, isHidden ? TCSAFLUSH : TCSADRAIN, &during) == 0 else { return .ended }
        show(notices)
        say(question)
        var waking = wait(until: bell, notices)
        while case .notice = waking {
            say("\n")
            show(notices)
            say(question)
            waking = wait(until: bell, notices)
        }
        let reply = waking == .input ? line() : .interrupted
        if isHidden { say("\n") }
        // Input for a withdrawn question must not answer the next one.
        if case .interrupted = reply { tcflush(descriptor, TCIFLUSH) }
        tcsetattr(descriptor, TCSADRAIN, &before)
        return reply
    }

    private func show(_ notices: TerminalNotices?) {
        for line in notices?.take() ?? [] {
            control(Self.alert)
            say(line + "\n")
        }
    }

    private func line() -> Reply {
        var bytes = [UInt8](repeating: 0, count: Self.lineLimit)
        defer { SecretOctets.wipe(&bytes) }
        let count = Self.readOnce(descriptor, &bytes)
        guard count > 0 else { return .ended }
        guard bytes[count - 1] != Self.interruption else { return .interrupted }
        let end = bytes.prefix(count).firstIndex { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") } ?? count
        return .line(SecretBytes(copying: bytes[..<end]))
    }

    private enum Waking {
        case input
        case withdrawal
        case notice
    }

    private func wait(until bell: TerminalBell, _ notices: TerminalNotices?) -> Waking {
        // The system passes over a descriptor of -1.
        var watched = [bell.readingEnd, notices?.bell?.readingEnd ?? -1, descriptor].map {
            pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
        }
        while true {
            let count = poll(&watched, nfds_t(watched.count), -1)
            if count < 0, errno == EINTR { continue }
            guard count > 0, watched[0].revents == 0 else { return .withdrawal }
            return watched[1].revents != 0 ? .notice : .input
        }
    }

    private static func readOnce(_ descriptor: Int32, _ bytes: inout [UInt8]) -> Int {
        while true {
            let count = bytes.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            return count
        }
    }

    /// Sets an additional character that ends a line; C's array of them is imported as a tuple.
    private static func setLineEnd(_ character: UInt8, in settings: inout termios) {
        withUnsafeMutableBytes(of: &settings.c_cc) { $0[Int(VEOL)] = character }
    }
}

/// Wake-up signal for a thread that waits for the terminal, made of a pipe.
final class TerminalBell: Sendable {
    /// Descriptor that is readable once the signal was sent.
    let readingEnd: Int32
    private let writingEnd: Int32

    /// Opens the pipe; nil when the process has too many open files.
    init?() {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return nil }
        (readingEnd, writingEnd) = (ends[0], ends[1])
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    }

    deinit {
        close(readingEnd)
        close(writingEnd)
    }

    func ring() {
        var byte: UInt8 = 0
        _ = write(writingEnd, &byte, 1)
    }

    func rest() {
        var byte: UInt8 = 0
        _ = read(readingEnd, &byte, 1)
    }
}

/// Queue of notices that arrive while the user is at a prompt.
final class TerminalNotices: Sendable {
    private let lines = Mutex<[String]>([])
    /// Bell that has rung while there are notices; nil when the process has too many open files, and notices then wait
    /// for the next prompt.
    let bell = TerminalBell()

    func post(_ line: String) {
        lines.withLock { lines in
            if lines.isEmpty { bell?.ring() }
            lines.append(line)
        }
    }

    func take() -> [String] {
        lines.withLock { lines in
            guard !lines.isEmpty else { return [] }
            bell?.rest()
            defer { lines = [] }
            return lines
        }
    }
}

extension SecretBytes {
    /// Text of an entry that is not secret, without surrounding spaces.
    var line: String {
        let text = withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
        return String(text.drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
    }
}

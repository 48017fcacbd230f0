import HardwareKeys
import MobileAuthentication
import Octets

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Controlling terminal of the process, on which one question is asked after the other.
///
/// Reading blocks, so it runs on a thread of its own: meanwhile operations can end, time out or be cancelled, which
/// withdraws the question. Ctrl-C answers a question, and ends nothing else.
actor Terminal {
    /// Reply of the user to a question.
    enum Reply: Sendable {
        /// A line, without its line break.
        case line(SecretBytes)
        /// Ctrl-C, or the question was withdrawn.
        case interrupted
        /// Ctrl-D, or the terminal was closed.
        case ended
    }

    /// Maximum length of a line that a terminal delivers.
    private static let lineLimit = 4096
    private static let interruption: UInt8 = 0x03

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

    /// Writes text.
    nonisolated func say(_ text: String) {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }

    /// Shows `question` and waits for a line; a hidden one is not echoed.
    ///
    /// Returns `interrupted` when the task is cancelled.
    nonisolated func ask(_ question: String, isHidden: Bool = false) async -> Reply {
        guard !Task.isCancelled else { return .interrupted }
        guard let bell = TerminalBell() else { return .ended }
        return await withTaskCancellationHandler {
            await reply(to: question, isHidden: isHidden, until: bell)
        } onCancel: {
            bell.ring()
        }
    }

    private func reply(to question: String, isHidden: Bool, until bell: TerminalBell) -> Reply {
        var before = termios()
        guard tcgetattr(descriptor, &before) == 0 else { return .ended }
        var during = before
        if isHidden { during.c_lflag &= ~tcflag_t(ECHO) }
        // Ctrl-C ends the line as its last character instead of sending a signal to the process.
        during.c_lflag &= ~tcflag_t(ISIG)
        Self.setLineEnd(Self.interruption, in: &during)
        guard tcsetattr(descriptor, isHidden ? TCSAFLUSH : TCSADRAIN, &during) == 0 else { return .ended }
        say(question)
        let reply = line(until: bell)
        if isHidden { say("\n") }
        // Input for a withdrawn question must not answer the next one.
        if case .interrupted = reply { tcflush(descriptor, TCIFLUSH) }
        tcsetattr(descriptor, TCSADRAIN, &before)
        return reply
    }

    private func line(until bell: TerminalBell) -> Reply {
        guard case .input = wait(until: [bell]) else { return .interrupted }
        var bytes = [UInt8](repeating: 0, count: Self.lineLimit)
        defer { SecretOctets.wipe(&bytes) }
        let count = Self.readOnce(descriptor, &bytes)
        guard count > 0 else { return .ended }
        guard bytes[count - 1] != Self.interruption else { return .interrupted }
        let end = bytes.prefix(count).firstIndex { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") } ?? count
        return .line(SecretBytes(copying: bytes[..<end]))
    }

    /// Reason for the end of a wait.
    enum Waking {
        case input
        case bell(TerminalBell)
        case failed
    }

    /// Waits for keys, or for the first of the bells.
    func wait(until bells: [TerminalBell]) -> Waking {
        while true {
            var watched = ([descriptor] + bells.map(\.readingEnd)).map {
                pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
            }
            let count = poll(&watched, nfds_t(watched.count), -1)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return .failed }
            for (bell, state) in zip(bells, watched.dropFirst()) where state.revents != 0 { return .bell(bell) }
            return .input
        }
    }

    /// One byte of the input, because the rest may belong to the next question.
    ///
    /// Nil when the terminal was closed.
    func readByte() -> UInt8? {
        var bytes: [UInt8] = [0]
        return Self.readOnce(descriptor, &bytes) == 1 ? bytes[0] : nil
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

    /// Sends the signal.
    func ring() {
        var byte: UInt8 = 0
        _ = write(writingEnd, &byte, 1)
    }
}

extension SecretBytes {
    /// Text of an entry that is not secret, without surrounding spaces.
    var line: String {
        let text = withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
        return String(text.drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
    }
}

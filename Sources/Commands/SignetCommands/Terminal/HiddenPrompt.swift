import Foundation
import MobileAuthentication
import Octets

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Asks for a secret on the terminal without showing it.
enum HiddenPrompt {
    /// Shows `question` and reads one line from the terminal; nil when there is none.
    static func ask(_ question: String) -> SecretBytes? {
        let terminal = open("/dev/tty", O_RDWR | O_CLOEXEC)
        guard terminal >= 0 else { return nil }
        defer { close(terminal) }
        var settings = termios()
        guard tcgetattr(terminal, &settings) == 0 else { return nil }
        var hidden = settings
        hidden.c_lflag &= ~tcflag_t(ECHO)
        guard tcsetattr(terminal, TCSAFLUSH, &hidden) == 0 else { return nil }
        defer {
            tcsetattr(terminal, TCSAFLUSH, &settings)
            say("\n", on: terminal)
        }
        say(question, on: terminal)
        return line(from: terminal)
    }

    private static func say(_ text: String, on terminal: Int32) {
        let bytes = Array(text.utf8)
        _ = write(terminal, bytes, bytes.count)
    }

    /// At most 256 bytes up to the end of the line.
    private static func line(from terminal: Int32) -> SecretBytes? {
        var bytes = [UInt8](repeating: 0, count: 256)
        defer { SecretOctets.wipe(&bytes) }
        let count = read(terminal, &bytes, bytes.count)
        guard count > 0 else { return nil }
        let end = bytes.prefix(count).firstIndex { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") } ?? count
        return SecretBytes(copying: bytes[..<end])
    }
}

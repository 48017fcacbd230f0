import Foundation

/// Unbuffered standard error stream.
package enum StandardError {
    package static func write(_ text: String) {
        write(Array(text.utf8))
    }

    /// Writes bytes in one piece, so that lines of other writers do not mix with a complete line.
    @Sendable package static func write(_ bytes: [UInt8]) {
        _ = SystemWrite.all(bytes, to: STDERR_FILENO)
    }
}

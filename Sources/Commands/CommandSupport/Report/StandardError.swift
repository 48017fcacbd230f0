import Foundation

/// Unbuffered standard error stream.
package enum StandardError {
    package static func write(_ text: String) {
        write(Array(text.utf8))
    }

    /// Writes bytes in one piece, so that lines of other writers do not mix with a complete line.
    @Sendable package static func write(_ bytes: [UInt8]) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Self.systemWrite($0) }
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }

    private static func systemWrite(_ bytes: UnsafeRawBufferPointer) -> Int {
        #if canImport(Glibc)
            Glibc.write(STDERR_FILENO, bytes.baseAddress, bytes.count)
        #elseif canImport(Musl)
            Musl.write(STDERR_FILENO, bytes.baseAddress, bytes.count)
        #else
            Darwin.write(STDERR_FILENO, bytes.baseAddress, bytes.count)
        #endif
    }
}

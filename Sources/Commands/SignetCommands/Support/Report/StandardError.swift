#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// The standard error stream, unbuffered.
enum StandardError {
    /// Writes text.
    static func write(_ text: String) {
        write(Array(text.utf8))
    }

    /// Writes bytes; a line that is handed over whole is not torn apart by other writers.
    @Sendable static func write(_ bytes: [UInt8]) {
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

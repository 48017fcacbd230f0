#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// A file of the operating system that is being made.
final class PosixNewFile: NewFile {
    private var descriptor: PosixDescriptor?

    init(_ descriptor: consuming PosixDescriptor) { self.descriptor = consume descriptor }

    func write(_ bytes: ArraySlice<UInt8>) throws(FileSystemError) -> Int {
        let number = try number()
        let count = bytes.withUnsafeBytes { Self.writeSome($0, to: number) }
        guard count != 0 else { throw .failed(code: EIO) }
        guard count > 0 else { throw .last }
        return count
    }

    func synchronize() throws(FileSystemError) {
        _ = try number()
        try descriptor?.synchronize()
    }

    /// Errors of writing were reported by ``synchronize()``: a failing close has nothing to add.
    func close() { descriptor = nil }

    private func number() throws(FileSystemError) -> Int32 {
        guard let number = descriptor?.number else { throw .failed(code: EBADF) }
        return number
    }

    private static func writeSome(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Int {
        #if canImport(Glibc)
            Glibc.write(descriptor, bytes.baseAddress, bytes.count)
        #elseif canImport(Musl)
            Musl.write(descriptor, bytes.baseAddress, bytes.count)
        #else
            Darwin.write(descriptor, bytes.baseAddress, bytes.count)
        #endif
    }
}

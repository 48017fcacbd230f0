import Octets

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Secret bytes in memory pages of their own, which are not swapped out, stay out of core files and are wiped in the end.
///
/// Locking is asked for, not insisted on: where an account may lock no more memory, the pages are like any other.
final class LockedOctets: @unchecked Sendable {
    // Sendable: the memory is written only by the initialiser and by deinit, and nothing else points to it.
    private let memory: UnsafeMutableRawBufferPointer
    private let mapping: UnsafeMutableRawPointer
    private let mappedByteCount: Int

    /// Makes `count` zero bytes and lets `fill` write them; nil when there is no memory.
    init?(count: Int, fill: (UnsafeMutableRawBufferPointer) -> Void) {
        let page = Int(sysconf(Int32(_SC_PAGESIZE)))
        guard page > 0, count > 0 else { return nil }
        mappedByteCount = (count + page - 1) / page * page
        let flags = MAP_PRIVATE | MAP_ANON
        guard let start = mmap(nil, mappedByteCount, PROT_READ | PROT_WRITE, flags, -1, 0),
            start != MAP_FAILED
        else { return nil }
        mlock(start, mappedByteCount)
        #if os(Linux)
            madvise(start, mappedByteCount, MADV_DONTDUMP)
        #endif
        mapping = start
        memory = UnsafeMutableRawBufferPointer(start: start, count: count)
        fill(memory)
    }

    deinit {
        SecretOctets.wipe(UnsafeMutableRawBufferPointer(start: mapping, count: mappedByteCount))
        munlock(mapping, mappedByteCount)
        munmap(mapping, mappedByteCount)
    }

    /// Lends some of the bytes for the length of `body`; the pointer must not leave it.
    func withUnsafeBytes<Result, Failure: Error>(
        in range: Range<Int>, _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(UnsafeRawBufferPointer(rebasing: memory[range]))
    }
}

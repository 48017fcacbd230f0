import Locking

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Secret bytes that exist once and are overwritten at the end of their lifetime.
///
/// They have no description and no coding; callers borrow them for the length of a closure. They lie in
/// ``LockedPages``, and are wiped in a way the optimiser may not remove.
@safe
package struct SecretOctets: ~Copyable, @unchecked Sendable {
    // Sendable by this rule: the memory is written by the initialisers and by deinit only, it is lent for reading only, and
    // nothing else points to it. The type cannot be copied, so deinit runs once and after the last borrow. The exception is
    // wipeAll: a thread that reads meanwhile sees secret and zeros mixed, and the process ends before it can use them.
    private let memory: UnsafeMutableRawBufferPointer

    /// Takes a copy of `bytes`; wiping the source is the caller's business.
    package init(copying bytes: some Collection<UInt8>) {
        unsafe memory = LockedPages.allocate(byteCount: bytes.count)
        unsafe memory.copyBytes(from: bytes)
    }

    /// Makes `count` bytes and lets `fill` write them; they are wiped as well when `fill` throws.
    package init<Failure: Error>(
        count: Int, fill: (UnsafeMutableRawBufferPointer) throws(Failure) -> Void
    ) throws(Failure) {
        let fresh = unsafe LockedPages.allocate(byteCount: count)
        do {
            try unsafe fill(fresh)
        } catch {
            unsafe LockedPages.deallocate(fresh)
            throw error
        }
        unsafe memory = fresh
    }

    deinit {
        unsafe LockedPages.deallocate(memory)
    }

    package var count: Int { unsafe memory.count }

    /// Lends the bytes for the length of `body`; the pointer must not leave it.
    package borrowing func withUnsafeBytes<Result: ~Copyable, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        unsafe try body(UnsafeRawBufferPointer(memory))
    }

    /// A second, independent copy, for an owner that cannot borrow.
    package borrowing func duplicate() -> SecretOctets {
        unsafe SecretOctets(copying: UnsafeRawBufferPointer(memory))
    }

    /// Overwrites an array that held a secret before it entered a `SecretOctets`.
    package static func wipe(_ bytes: inout [UInt8]) {
        unsafe bytes.withUnsafeMutableBytes { unsafe wipe($0) }
        bytes.removeAll()
    }

    /// Overwrites memory of the caller's in a way that the optimiser may not remove.
    package static func wipe(_ memory: UnsafeMutableRawBufferPointer) {
        guard let start = memory.baseAddress else { return }
        #if canImport(Darwin)
            unsafe memset_s(start, memory.count, 0, memory.count)
        #else
            unsafe explicit_bzero(start, memory.count)
        #endif
    }

    /// Overwrites every secret of the process, in use or not, for a process that ends at once.
    ///
    /// Code that still holds one reads zeros from then on: nothing may be sealed or sent afterwards.
    package static func wipeAll() { LockedPages.wipeAll() }
}

/// The memory of ``SecretOctets``: pages that are not swapped out and stay out of core files.
///
/// Locking is asked for, not insisted on: where an account may lock no more memory, the pages are like any other. Small
/// secrets share pages, because a process may lock few; a page that was mapped for them stays until the process ends.
@safe
enum LockedPages {
    /// Sizes of the pieces that pages are cut into; a larger secret gets separate pages.
    private static let pieceByteCounts = [32, 64, 128, 256, 512, 1_024, 2_048]

    /// Addresses of free pieces, by their size.
    private struct Pieces {
        var free: [[UInt]] = LockedPages.pieceByteCounts.map { _ in [] }
        /// Sizes of all mappings, by their first address.
        var mapped: [UInt: Int] = [:]
    }

    private static let pieces = Lock(Pieces())
    private static let pageByteCount = max(Int(sysconf(Int32(_SC_PAGESIZE))), 4_096)

    /// Zero bytes for a secret.
    static func allocate(byteCount: Int) -> UnsafeMutableRawBufferPointer {
        guard byteCount > 0 else { return unsafe UnsafeMutableRawBufferPointer(start: nil, count: 0) }
        guard let kind = kind(of: byteCount) else {
            let start = unsafe map(byteCount)
            let address = UInt(bitPattern: start)
            pieces.withLock { $0.mapped[address] = byteCount }
            return unsafe UnsafeMutableRawBufferPointer(start: start, count: byteCount)
        }
        return unsafe UnsafeMutableRawBufferPointer(start: piece(of: kind), count: byteCount)
    }

    /// Takes memory back that ``allocate(byteCount:)`` gave, and overwrites it.
    static func deallocate(_ memory: UnsafeMutableRawBufferPointer) {
        guard let start = memory.baseAddress else { return }
        unsafe SecretOctets.wipe(memory)
        if let kind = kind(of: memory.count) {
            let address = UInt(bitPattern: start)
            pieces.withLock { $0.free[kind].append(address) }
        } else {
            let byteCount = wholePages(memory.count)
            let address = UInt(bitPattern: start)
            pieces.withLock { $0.mapped[address] = nil }
            unsafe munlock(start, byteCount)
            unsafe munmap(start, byteCount)
        }
    }

    /// Overwrites all that is mapped; while it does, nothing is given back to the system.
    static func wipeAll() {
        pieces.withLock { pieces in
            for (address, byteCount) in pieces.mapped {
                let start = unsafe UnsafeMutableRawPointer(bitPattern: address)
                unsafe SecretOctets.wipe(UnsafeMutableRawBufferPointer(start: start, count: byteCount))
            }
        }
    }

    private static func kind(of byteCount: Int) -> Int? {
        pieceByteCounts.firstIndex { byteCount <= $0 }
    }

    private static func piece(of kind: Int) -> UnsafeMutableRawPointer {
        let address = pieces.withLock { pieces in
            if let address = pieces.free[kind].popLast() { return address }
            let page = UInt(bitPattern: unsafe map(pageByteCount))
            pieces.mapped[page] = pageByteCount
            let size = UInt(pieceByteCounts[kind])
            pieces.free[kind] = stride(from: page + size, to: page + UInt(pageByteCount), by: Int(size)).reversed()
            return page
        }
        guard let start = unsafe UnsafeMutableRawPointer(bitPattern: address) else {
            preconditionFailure("no page begins at zero")
        }
        return unsafe start
    }

    private static func wholePages(_ byteCount: Int) -> Int {
        (byteCount + pageByteCount - 1) / pageByteCount * pageByteCount
    }

    /// Fails as every allocation does, when the process has no memory; sizes from outside are limited where they are read.
    private static func map(_ byteCount: Int) -> UnsafeMutableRawPointer {
        let byteCount = wholePages(byteCount)
        let flags = MAP_PRIVATE | MAP_ANON
        guard let start = unsafe mmap(nil, byteCount, PROT_READ | PROT_WRITE, flags, -1, 0), unsafe start != MAP_FAILED
        else { preconditionFailure("no memory for a secret") }
        unsafe mlock(start, byteCount)
        #if os(Linux)
            unsafe madvise(start, byteCount, MADV_DONTDUMP)
        #endif
        return unsafe start
    }
}

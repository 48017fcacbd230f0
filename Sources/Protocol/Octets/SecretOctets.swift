#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Secret bytes that exist once and are overwritten when their owner lets go of them.
///
/// They have no description and no coding; whoever needs them borrows them for the length of a closure. They lie in
/// ``LockedPages``, and are wiped in a way the optimiser may not remove.
@safe
package struct SecretOctets: ~Copyable, @unchecked Sendable {
    // Sendable: the memory is written only by the initialisers and by deinit, and nothing else points to it.
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

    /// Number of bytes.
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

    /// Overwrites an array that held a secret on its way into a `SecretOctets`.
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
}

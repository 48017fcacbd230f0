import Octets

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// The round keys of AES that the cryptographic library leaves in memory it has freed; the first two are the key itself.
enum RoundKeys {
    /// What the library allocates for one use of a key: a context of 576 bytes behind the header of an object.
    private static let byteCount = 592

    /// Overwrites what the uses of keys on this thread just before have left behind.
    ///
    /// Allocators give the block that was freed last to the next who asks for one of its size; `count` such blocks are
    /// taken, overwritten and given back. On Apple platforms the system's own library is used, which wipes.
    static func wipe(_ count: Int = 4) {
        #if !canImport(Darwin)
            withUnsafeTemporaryAllocation(of: UnsafeMutableRawPointer?.self, capacity: count) { blocks in
                for index in blocks.indices {
                    blocks.initializeElement(at: index, to: malloc(byteCount))
                    guard let block = blocks[index] else { continue }
                    SecretOctets.wipe(UnsafeMutableRawBufferPointer(start: block, count: byteCount))
                }
                for block in blocks { free(block) }
            }
        #endif
    }
}

import Octets

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Secrets that the cryptographic library leaves in memory it has freed.
package enum FreedMemory {
    /// Kinds of memory that a use of a secret leaves behind.
    package enum Residue {
        /// The round keys of AES, the first two of which are the key itself: a context of 576 bytes behind the header of an
        /// object.
        case roundKeys
        /// The result of scrypt or PBKDF2: 32 bytes, for which 40 are allocated.
        case derivedKey

        fileprivate var byteCount: Int {
            switch self {
            case .roundKeys: 592
            case .derivedKey: 40
            }
        }
    }

    /// Overwrites what uses of secrets on this thread just before have left behind.
    ///
    /// Allocators give the blocks that were freed last to the next requests of their size; `count` such blocks are
    /// taken, overwritten and given back. The GNU library keeps seven of a size for each thread before it puts further
    /// ones elsewhere, so more are taken. On Apple platforms the system's own library is used, which wipes.
    package static func wipe(_ residue: Residue, count: Int = 16) {
        #if !canImport(Darwin)
            withUnsafeTemporaryAllocation(of: UnsafeMutableRawPointer?.self, capacity: count) { blocks in
                for index in blocks.indices {
                    blocks.initializeElement(at: index, to: malloc(residue.byteCount))
                    guard let block = blocks[index] else { continue }
                    SecretOctets.wipe(UnsafeMutableRawBufferPointer(start: block, count: residue.byteCount))
                }
                for block in blocks { free(block) }
            }
        #endif
    }
}

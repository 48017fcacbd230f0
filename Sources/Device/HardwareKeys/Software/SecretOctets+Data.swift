import Octets

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension SecretOctets {
    /// Moves secret bytes out of memory that a library has allocated for the caller alone, and wipes it.
    ///
    /// Fewer than 15 bytes would lie in the value itself, where nobody can wipe them: nothing that comes here is as short.
    init(moving bytes: Data) {
        self.init(count: bytes.count) { target in
            bytes.withUnsafeBytes { bytes in
                target.copyMemory(from: bytes)
                SecretOctets.wipe(UnsafeMutableRawBufferPointer(mutating: bytes))
            }
        }
    }
}

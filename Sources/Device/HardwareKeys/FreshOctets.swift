import Octets

/// Bytes from the generator of the operating system, for names, salts and nonces.
package enum FreshOctets {
    package static func make(count: Int) -> [UInt8] {
        var generator = SystemRandomNumberGenerator()
        return (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    }

    /// A secret of `count` bytes, which is nowhere else.
    static func secret(count: Int) -> SecretOctets {
        SecretOctets(count: count) { memory in
            var generator = SystemRandomNumberGenerator()
            for index in memory.indices { memory[index] = UInt8.random(in: .min ... .max, using: &generator) }
        }
    }
}

extension SecretOctets {
    /// Moves secret bytes out of memory that a library has allocated for the caller alone, and wipes it.
    ///
    /// Fewer than 15 bytes would lie in the value itself, where they cannot be wiped: nothing that comes here is as
    /// short.
    init(moving bytes: some Collection<UInt8>) {
        self.init(copying: bytes)
        bytes.withContiguousStorageIfAvailable { memory in
            SecretOctets.wipe(UnsafeMutableRawBufferPointer(mutating: UnsafeRawBufferPointer(memory)))
        }
    }
}

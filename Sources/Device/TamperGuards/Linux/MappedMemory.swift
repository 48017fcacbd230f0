#if os(Linux)
    #if canImport(Glibc)
        import Glibc
    #elseif canImport(Musl)
        import Musl
    #elseif canImport(Darwin)
        import Darwin
    #endif

    /// Memory of this process, read without a fault where nothing is mapped any more.
    enum MappedMemory {
        private typealias Call =
            @convention(c) (
                pid_t, UnsafePointer<iovec>?, UInt, UnsafePointer<iovec>?, UInt, UInt
            ) -> Int

        /// process_vm_readv(2), which the headers declare for GNU sources only.
        private static let readv = dlsym(nil, "process_vm_readv").map { unsafeBitCast($0, to: Call.self) }

        /// Bytes at an address; nil where they cannot be read, or the system refuses to read that way.
        static func bytes(at address: UInt, count: Int) -> [UInt8]? {
            guard count > 0, let call = readv else { return nil }
            var bytes = [UInt8](repeating: 0, count: count)
            let got = bytes.withUnsafeMutableBytes { buffer in
                var own = iovec(iov_base: buffer.baseAddress, iov_len: buffer.count)
                var other = iovec(iov_base: UnsafeMutableRawPointer(bitPattern: address), iov_len: buffer.count)
                return call(getpid(), &own, 1, &other, 1, 0)
            }
            return got == count ? bytes : nil
        }

        /// Text at an address that ends with a zero, of 255 bytes at most.
        static func text(at address: UInt) -> String? {
            // A shorter piece where the mapping ends.
            for count in [256, 64, 16] {
                if let bytes = bytes(at: address, count: count), let end = bytes.firstIndex(of: 0) {
                    return String(decoding: bytes[..<end], as: UTF8.self)
                }
            }
            return nil
        }

        /// Words of 64 bits at an address.
        static func words(at address: UInt, count: Int) -> [UInt]? {
            bytes(at: address, count: count * 8)?.withUnsafeBytes { buffer in
                (0..<count).map { buffer.loadUnaligned(fromByteOffset: $0 * 8, as: UInt.self) }
            }
        }
    }
#endif

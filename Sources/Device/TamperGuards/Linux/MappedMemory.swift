#if os(Linux)
    #if canImport(Glibc)
        import Glibc
    #elseif canImport(Musl)
        import Musl
    #endif

    /// Memory of this process, read without a fault where nothing is mapped any more.
    enum MappedMemory {
        private typealias Call =
            @convention(c) (
                pid_t, UnsafePointer<iovec>?, UInt, UnsafePointer<iovec>?, UInt, UInt
            ) -> Int

        /// Pieces that one call reads at most (IOV_MAX), and bytes of one of them.
        private static let pieceLimit = 1_024
        private static let pieceByteLimit = 1 << 16

        /// process_vm_readv(2), which the headers declare for GNU sources only.
        private static let readv = dlsym(nil, "process_vm_readv").map { unsafeBitCast($0, to: Call.self) }

        /// Bytes at an address; nil where they cannot be read, or the system refuses to read that way.
        static func bytes(at address: UInt, count: Int) -> [UInt8]? {
            guard count > 0 else { return nil }
            var bytes = [UInt8](repeating: 0, count: count)
            let place = iovec(iov_base: UnsafeMutableRawPointer(bitPattern: address), iov_len: count)
            return bytes.withUnsafeMutableBytes { read([place], into: $0) } ? bytes : nil
        }

        /// Bytes of several ranges, by one system call where all of them can be read.
        ///
        /// One is nil where it is empty, longer than is read at once, or cannot be read, whatever the others are.
        static func pieces(_ ranges: [Range<UInt>]) -> [ArraySlice<UInt8>?] {
            guard let all = joined(ranges) else {
                return ranges.map { range in
                    guard byteCount(of: range) <= pieceByteLimit else { return nil }
                    return bytes(at: range.lowerBound, count: byteCount(of: range)).map { $0[...] }
                }
            }
            var rest = all[...]
            return ranges.map { range in
                defer { rest = rest.dropFirst(byteCount(of: range)) }
                return range.isEmpty ? nil : rest.prefix(byteCount(of: range))
            }
        }

        /// Bytes of several ranges behind each other; nil where one of them cannot be read.
        private static func joined(_ ranges: [Range<UInt>]) -> [UInt8]? {
            guard ranges.count <= pieceLimit, ranges.allSatisfy({ byteCount(of: $0) <= pieceByteLimit }) else {
                return nil
            }
            let places = ranges.map {
                iovec(iov_base: UnsafeMutableRawPointer(bitPattern: $0.lowerBound), iov_len: byteCount(of: $0))
            }
            var bytes = [UInt8](repeating: 0, count: places.reduce(0) { $0 + $1.iov_len })
            return bytes.withUnsafeMutableBytes { read(places, into: $0) } ? bytes : nil
        }

        private static func byteCount(of range: Range<UInt>) -> Int {
            Int(clamping: range.upperBound - range.lowerBound)
        }

        private static func read(_ places: [iovec], into buffer: UnsafeMutableRawBufferPointer) -> Bool {
            guard let call = readv else { return false }
            var own = iovec(iov_base: buffer.baseAddress, iov_len: buffer.count)
            return call(getpid(), &own, 1, places, UInt(places.count), 0) == buffer.count
        }

        /// Text at an address that ends with a zero, of 255 bytes at most.
        static func text(at address: UInt) -> SystemName? {
            // A shorter piece where the mapping ends.
            for count in [256, 64, 16] {
                if let bytes = bytes(at: address, count: count), let end = bytes.firstIndex(of: 0) {
                    return SystemName(bytes[..<end])
                }
            }
            return nil
        }

        static func words(at address: UInt, count: Int) -> [UInt]? {
            bytes(at: address, count: count * 8)?.withUnsafeBytes { buffer in
                (0..<count).map { buffer.loadUnaligned(fromByteOffset: $0 * 8, as: UInt.self) }
            }
        }
    }
#endif

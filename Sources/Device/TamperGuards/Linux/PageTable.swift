#if os(Linux)
    #if canImport(Glibc)
        import Glibc
    #elseif canImport(Musl)
        import Musl
    #endif

    /// Kernel's account of the pages of this process (`/proc/self/pagemap`, Linux "pagemap, from the userspace
    /// perspective").
    ///
    /// A page of a file that was written to, as a debugger does with a breakpoint, is a private copy from then on. So the
    /// pages that can differ from the file are found without reading any.
    final class PageTable: Sendable {
        static let pageByteCount = UInt(max(sysconf(Int32(_SC_PAGESIZE)), 4_096))

        /// Bits of an entry: in memory, swapped out, of a file.
        private enum Bit {
            static let present: UInt64 = 1 << 63
            static let swapped: UInt64 = 1 << 62
            static let file: UInt64 = 1 << 61
        }

        private let descriptor: Int32

        /// Opens the account of this process; nil where there is none, as in some sandboxes, or it is not ours to read.
        init?(path: String = "/proc/self/pagemap") {
            let descriptor = open(path, O_RDONLY | O_CLOEXEC)
            guard descriptor >= 0 else { return nil }
            self.descriptor = descriptor
        }

        deinit {
            close(descriptor)
        }

        /// Addresses of the pages in a range that are private copies, at most `limit`; nil where that cannot be read.
        func privateCopies(in range: Range<UInt>, limit: Int) -> [UInt]? {
            guard !range.isEmpty else { return [] }
            let first = range.lowerBound / Self.pageByteCount
            let count = Int(clamping: (range.upperBound - 1) / Self.pageByteCount - first + 1)
            var entries = [UInt64](repeating: 0, count: count)
            let got = entries.withUnsafeMutableBytes { buffer in
                pread(descriptor, buffer.baseAddress, buffer.count, off_t(clamping: first * 8))
            }
            guard got == count * 8 else { return nil }
            var pages: [UInt] = []
            for (index, entry) in entries.enumerated()
            where entry & (Bit.present | Bit.swapped) != 0 && entry & Bit.file == 0 {
                pages.append((first + UInt(index)) * Self.pageByteCount)
                if pages.count == limit { break }
            }
            return pages
        }
    }
#endif

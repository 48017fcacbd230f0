#if os(Linux)
    #if canImport(Glibc)
        import Glibc
    #elseif canImport(Musl)
        import Musl
    #endif

    /// Mappings of the process as `/proc/self/maps` lists them.
    struct MemoryMap: Hashable {
        /// One mapping.
        struct Mapping: Hashable {
            var range: Range<UInt>
            var isExecutable: Bool
            var isWritable: Bool
            /// Path of the file, a name in brackets, or empty for memory without a file.
            var path: SystemName

            var name: String { path.text }

            /// Whether a file lies behind it that still has this name.
            ///
            /// Libraries that make code at run time map it from nameless files, where the system allows no other way
            /// (SELinux), and the kernel gives shared memory such a name: `/memfd:libffi (deleted)`.
            var isFile: Bool { path.hasPrefix("/") && !path.hasSuffix(" (deleted)") }

            /// Whether it is code that the kernel gives to every process.
            var isOfKernel: Bool { Self.kernelPaths.contains(path) }

            private static let kernelPaths = ["[vdso]", "[vsyscall]", "[uprobes]"].map { SystemName($0) }
        }

        private(set) var mappings: [Mapping] = []

        /// Reads the list; lines of another form are skipped.
        ///
        /// It works on bytes, because it runs in every round, and the names are parts of the list.
        init(_ list: [UInt8]) {
            list.withUnsafeBufferPointer { bytes in
                var start = 0
                while start < bytes.count {
                    let end = Self.endOfLine(from: start, in: bytes)
                    // The list goes on behind the bytes that were read.
                    if end == bytes.count, bytes.count >= ProcessFiles.byteLimit { break }
                    var line = Line(bytes: UnsafeBufferPointer(rebasing: bytes[start..<end]))
                    if let mapping = line.mapping(in: list[start..<end]) { mappings.append(mapping) }
                    start = end + 1
                }
            }
        }

        private static func endOfLine(from start: Int, in bytes: UnsafeBufferPointer<UInt8>) -> Int {
            guard let first = bytes.baseAddress, let mark = memchr(first + start, 0x0A, bytes.count - start) else {
                return bytes.count
            }
            return UnsafeRawPointer(mark) - UnsafeRawPointer(first)
        }

        /// Mappings of this process, at least those that may be executed; nil where they cannot be read or there is none.
        static func current(_ files: ProcessFiles) -> MemoryMap? {
            if let code = MappingQuery.code(files), !code.isEmpty { return MemoryMap(mappings: code) }
            guard let list = files.bytes(at: "/proc/self/maps"), !list.isEmpty else { return nil }
            return MemoryMap(list)
        }

        /// Path of the file that is mapped at an address; nil for other memory, and for none.
        func file(at address: UInt) -> String? {
            mappings.first { $0.isFile && $0.range.contains(address) }?.name
        }

        private init(mappings: [Mapping]) { self.mappings = mappings }

        /// Text of a list, for tests.
        init(_ text: String) { self.init(Array(text.utf8)) }
    }

    /// Reader of one line: addresses, rights, offset, device, inode, and a name that may hold blanks.
    private struct Line {
        let bytes: UnsafeBufferPointer<UInt8>
        private var place = 0

        init(bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

        mutating func mapping(in octets: ArraySlice<UInt8>) -> MemoryMap.Mapping? {
            guard let start = number(endingWith: UInt8(ascii: "-")), let end = number(endingWith: UInt8(ascii: " ")),
                start <= end
            else { return nil }
            let rights = field()
            // Offset, device and inode.
            for _ in 0..<3 where field().isEmpty { return nil }
            guard !rights.isEmpty else { return nil }
            skipBlanks()
            return MemoryMap.Mapping(
                range: start..<end, isExecutable: rights.contains(UInt8(ascii: "x")),
                isWritable: rights.contains(UInt8(ascii: "w")), path: SystemName(octets.dropFirst(place)))
        }

        /// A hexadecimal number of 16 digits at most, and the byte behind it.
        private mutating func number(endingWith mark: UInt8) -> UInt? {
            var value: UInt = 0
            let first = place
            while place < bytes.count, place - first <= 16 {
                let byte = bytes[place]
                place += 1
                switch byte {
                case mark: return place - first > 1 ? value : nil
                case UInt8(ascii: "0")...UInt8(ascii: "9"): value = value << 4 | UInt(byte - UInt8(ascii: "0"))
                case UInt8(ascii: "a")...UInt8(ascii: "f"): value = value << 4 | UInt(byte - UInt8(ascii: "a") + 10)
                default: return nil
                }
            }
            return nil
        }

        private mutating func field() -> Slice<UnsafeBufferPointer<UInt8>> {
            skipBlanks()
            let first = place
            while place < bytes.count, bytes[place] != UInt8(ascii: " ") { place += 1 }
            return bytes[first..<place]
        }

        private mutating func skipBlanks() {
            while place < bytes.count, bytes[place] == UInt8(ascii: " ") { place += 1 }
        }
    }
#endif

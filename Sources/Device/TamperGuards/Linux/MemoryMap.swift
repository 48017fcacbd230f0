#if os(Linux)
    /// Mappings of the process as `/proc/self/maps` lists them.
    struct MemoryMap: Hashable {
        /// One mapping.
        struct Mapping: Hashable {
            /// Addresses of the mapping.
            var range: Range<UInt>
            /// Whether it may be executed.
            var isExecutable: Bool
            /// Whether it may be written.
            var isWritable: Bool
            /// Path of the file, a name in brackets, or empty for memory without a file.
            var name: String

            /// Whether a file lies behind it that still has this name.
            ///
            /// Libraries that make code at run time map it from nameless files, where the system allows no other way
            /// (SELinux), and the kernel gives shared memory such a name: `/memfd:libffi (deleted)`.
            var isFile: Bool { name.hasPrefix("/") && !name.hasSuffix(" (deleted)") }
        }

        /// The mappings, as far as they were read.
        private(set) var mappings: [Mapping] = []

        /// Reads the list; lines of another form are skipped.
        ///
        /// It works on bytes, because it runs in every round.
        init(_ bytes: [UInt8]) {
            bytes.withUnsafeBufferPointer { bytes in
                var start = 0
                while start < bytes.count {
                    let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
                    // The list goes on behind the bytes that were read.
                    if end == bytes.count, bytes.count >= ProcessFiles.byteLimit { break }
                    var line = Line(bytes: UnsafeBufferPointer(rebasing: bytes[start..<end]))
                    if let mapping = line.mapping() { mappings.append(mapping) }
                    start = end + 1
                }
            }
        }

        /// Path of the file that is mapped at an address; nil for other memory, and for none.
        func file(at address: UInt) -> String? {
            mappings.first { $0.isFile && $0.range.contains(address) }?.name
        }

        /// Text of a list, for tests.
        init(_ text: String) {
            self.init(Array(text.utf8))
        }
    }

    /// Reader of one line: addresses, rights, offset, device, inode, and a name that may hold blanks.
    private struct Line {
        let bytes: UnsafeBufferPointer<UInt8>
        private var place = 0

        init(bytes: UnsafeBufferPointer<UInt8>) {
            self.bytes = bytes
        }

        mutating func mapping() -> MemoryMap.Mapping? {
            guard let start = number(endingWith: UInt8(ascii: "-")), let end = number(endingWith: UInt8(ascii: " ")),
                start <= end
            else { return nil }
            let rights = field()
            let others = [field(), field(), field()]
            guard !rights.isEmpty, !others.contains(where: \.isEmpty) else { return nil }
            skipBlanks()
            return MemoryMap.Mapping(
                range: start..<end, isExecutable: rights.contains(UInt8(ascii: "x")),
                isWritable: rights.contains(UInt8(ascii: "w")), name: String(decoding: bytes[place...], as: UTF8.self))
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

        /// The next bytes up to a blank.
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

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

            /// Whether a file lies behind it.
            var isFile: Bool { name.hasPrefix("/") }
        }

        /// The mappings, as far as they were read.
        var mappings: [Mapping]

        /// Reads the list; lines of another form are skipped.
        init(_ text: String) {
            mappings = text.split(separator: "\n").compactMap { Self.mapping(in: $0) }
        }

        /// One line: addresses, rights, offset, device, inode, and a name that may hold blanks.
        private static func mapping(in line: Substring) -> Mapping? {
            let fields = line.split(separator: " ", maxSplits: 5, omittingEmptySubsequences: true)
            guard fields.count >= 5 else { return nil }
            let bounds = fields[0].split(separator: "-")
            guard bounds.count == 2, let start = UInt(bounds[0], radix: 16), let end = UInt(bounds[1], radix: 16),
                start <= end
            else { return nil }
            let rights = fields[1]
            let name = fields.count > 5 ? String(fields[5].drop { $0 == " " }) : ""
            return Mapping(
                range: start..<end, isExecutable: rights.contains("x"), isWritable: rights.contains("w"), name: name)
        }
    }
#endif

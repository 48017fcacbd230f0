#if os(Linux)
    #if canImport(Glibc)
        import Glibc
    #elseif canImport(Musl)
        import Musl
    #endif

    /// Program of this process: what is in memory, and the file it comes from.
    ///
    /// The file is `/proc/self/exe`, held open: an upgrade that puts another file in its place changes nothing. Where the
    /// dynamic linker was started with the program as its argument, it is the file that the program is mapped from.
    final class ProgramImage: Sendable {
        /// Bytes at the beginning of the file that hold its own layout (the ELF header).
        private static let headerByteCount = 64

        let segments: [LinkMap.Segment]
        private let descriptor: Int32
        let folder: String?

        /// Opens the file of the running program; nil where there is none to compare with: without /proc, or where the
        /// file belongs to a loader or an emulator, and not of the program.
        init?(path: String = "/proc/self/exe", map: LinkMap? = LinkMap.current()) {
            guard let program = map?.program else { return nil }
            let descriptor = open(path, O_RDONLY | O_CLOEXEC)
            guard descriptor >= 0 else { return nil }
            self.descriptor = descriptor
            segments = program.segments
            folder = Self.folder(of: path)
            // From here on deinit closes the file.
            guard !segments.isEmpty, hasHeaders(of: program) else { return nil }
        }

        deinit {
            close(descriptor)
        }

        /// Image of the running program; nil where there is none to compare with.
        ///
        /// A loader that is no object of the process, as an emulator is, tells of no program.
        static func running(files: ProcessFiles = ProcessFiles()) -> ProgramImage? {
            if let image = ProgramImage() { return image }
            guard let map = LinkMap.current(), let program = map.program, let loader = target(of: "/proc/self/exe"),
                let list = files.bytes(at: "/proc/self/maps")
            else { return nil }
            let memory = MemoryMap(list)
            guard map.objects.dropFirst().contains(where: { memory.file(at: $0.headers.lowerBound) == loader }) else {
                return nil
            }
            return memory.file(at: program.headers.lowerBound).flatMap { ProgramImage(path: $0, map: map) }
        }

        private static func target(of path: String) -> String? {
            var buffer = [CChar](repeating: 0, count: 4_096)
            let count = readlink(path, &buffer, buffer.count)
            guard count > 0 else { return nil }
            return String(decoding: buffer.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
        }

        private static func folder(of path: String) -> String? {
            let file = target(of: path) ?? path
            return file.lastIndex(of: "/").map { String(file[...$0]) }
        }

        /// Whether the program headers in memory equal the file's.
        private func hasHeaders(of program: LinkMap.Object) -> Bool {
            guard let header = bytes(at: 0, count: Self.headerByteCount),
                header.starts(with: [0x7F, 0x45, 0x4C, 0x46]),
                let start = UnsafeRawPointer(bitPattern: program.headers.lowerBound),
                let offset = Self.number(in: header, at: 32),
                let file = bytes(at: offset, count: program.headers.count)
            else { return false }
            // They stay mapped as long as the process lives. A system call could be refused, and with it the seal.
            return UnsafeRawBufferPointer(start: start, count: file.count).elementsEqual(file)
        }

        // MARK: - Reading

        func bytes(at offset: UInt64, count: Int) -> [UInt8]? {
            guard count >= 0, count <= ProcessFiles.byteLimit * 8, let start = off_t(exactly: offset) else {
                return nil
            }
            var bytes = [UInt8](repeating: 0, count: count)
            var done = 0
            while done < count {
                let got = bytes.withUnsafeMutableBytes { buffer in
                    pread(descriptor, buffer.baseAddress?.advanced(by: done), count - done, start + off_t(done))
                }
                guard got > 0 else { return nil }
                done += got
            }
            return bytes
        }

        /// A number of 64 bits in the header of the file, least significant byte first.
        private static func number(in header: [UInt8], at offset: Int) -> UInt64? {
            var reader = SealReader(header.dropFirst(offset))
            return reader.number64()
        }

        /// Content of a section of the file, by its name (ELF-64 Object File Format 1.5, 4 and 5); nil where there is none.
        func section(named name: String, limit: Int) -> [UInt8]? {
            guard let header = bytes(at: 0, count: Self.headerByteCount), let table = Self.number(in: header, at: 40),
                header[4] == 2, header[5] == 1
            else { return nil }
            var counts = SealReader(header.dropFirst(58))
            guard let size = counts.number16(), let count = counts.number16(), let names = counts.number16(),
                size == 64, names < count, let rows = bytes(at: table, count: Int(count) * 64)
            else { return nil }
            let sections = (0..<Int(count)).compactMap { SectionRow(rows.dropFirst($0 * 64).prefix(64)) }
            guard sections.count == Int(count), let texts = content(of: sections[Int(names)], limit: 1 << 20) else {
                return nil
            }
            let wanted = Array(name.utf8) + [0]
            let found = sections.first { texts.dropFirst(Int($0.name)).starts(with: wanted) }
            return found.flatMap { content(of: $0, limit: limit) }
        }

        private func content(of section: SectionRow, limit: Int) -> [UInt8]? {
            guard let count = Int(exactly: section.byteCount), count <= limit else { return nil }
            return bytes(at: section.offset, count: count)
        }
    }

    /// Row of the section table of an ELF file.
    private struct SectionRow {
        /// Offset of the name in the table of names.
        let name: UInt32
        let offset: UInt64
        let byteCount: UInt64

        init?(_ bytes: ArraySlice<UInt8>) {
            var (start, place) = (SealReader(bytes), SealReader(bytes.dropFirst(24)))
            guard let name = start.number32(), let offset = place.number64(), let byteCount = place.number64() else {
                return nil
            }
            (self.name, self.offset, self.byteCount) = (name, offset, byteCount)
        }
    }
#endif

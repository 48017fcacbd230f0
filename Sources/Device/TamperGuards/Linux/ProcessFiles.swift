#if os(Linux)
    #if canImport(Glibc)
        import Glibc
    #elseif canImport(Musl)
        import Musl
    #endif

    /// Files of the system about processes (proc(5)) and machine (sysfs(5)), read within bounds.
    ///
    /// What cannot be read is nil: hidden processes, a sandbox and a missing /proc are nothing to react to.
    struct ProcessFiles: Sendable {
        static let byteLimit = 1 << 20
        static let nameLimit = 1_024

        /// Folder in front of every path; empty but for tests.
        let root: String

        init(root: String = "") { self.root = root }

        func bytes(at path: String, limit: Int = ProcessFiles.byteLimit) -> [UInt8]? {
            withDescriptor(of: path) { Self.bytes(of: $0, limit: limit) }
        }

        func withDescriptor<Value>(of path: String, _ body: (Int32) -> Value?) -> Value? {
            let descriptor = open(root + path, O_RDONLY | O_CLOEXEC)
            guard descriptor >= 0 else { return nil }
            defer { close(descriptor) }
            return body(descriptor)
        }

        private static func bytes(of descriptor: Int32, limit: Int) -> [UInt8]? {
            var bytes = [UInt8](repeating: 0, count: min(limit, 16_384))
            var count = 0
            while count < limit {
                if count == bytes.count {
                    bytes.append(contentsOf: repeatElement(0, count: min(bytes.count, limit - count)))
                }
                let got = bytes.withUnsafeMutableBytes { buffer in
                    read(descriptor, buffer.baseAddress?.advanced(by: count), buffer.count - count)
                }
                guard got >= 0 else { return nil }
                if got == 0 { break }
                count += got
            }
            bytes.removeLast(bytes.count - count)
            return bytes
        }

        /// The first bytes of a file as text; what is no UTF-8 is replaced.
        func text(at path: String, limit: Int = ProcessFiles.byteLimit) -> String? {
            bytes(at: path, limit: limit).map { String(decoding: $0, as: UTF8.self) }
        }

        /// A word alone on a line, as in `comm`; nil also for an empty one.
        func word(at path: String) -> String? {
            bytes(at: path, limit: 256)?.split(maxSplits: 1) { (0x0A...0x0D).contains($0) }.first.map {
                String(decoding: $0, as: UTF8.self)
            }
        }

        /// A decimal number of the line that begins with a name: the first one, or a later one of those that blanks part.
        static func number(_ name: String, at index: Int = 0, in lines: [UInt8]) -> Int? {
            let fields =
                line(name, in: lines)?.dropFirst(name.utf8.count).split {
                    $0 == UInt8(ascii: "\t") || $0 == UInt8(ascii: " ")
                } ?? []
            guard fields.indices.contains(index) else { return nil }
            return Int(String(decoding: fields[index], as: UTF8.self))
        }

        private static func line(_ name: String, in lines: [UInt8]) -> ArraySlice<UInt8>? {
            var rest = lines[...]
            while !rest.isEmpty {
                let line = rest.prefix { $0 != UInt8(ascii: "\n") }
                if line.starts(with: name.utf8) { return line }
                rest = rest.dropFirst(line.count + 1)
            }
            return nil
        }

        func isPresent(_ path: String) -> Bool { access(root + path, F_OK) == 0 }

        func isWritable(_ path: String) -> Bool { access(root + path, W_OK) == 0 }

        /// The first names in a folder, without those that begin with a dot.
        func names(in path: String) -> [String]? {
            guard let folder = opendir(root + path) else { return nil }
            defer { closedir(folder) }
            var names: [String] = []
            while names.count < Self.nameLimit, let entry = readdir(folder) {
                let name = withUnsafeBytes(of: &entry.pointee.d_name) { buffer in
                    String(decoding: buffer.prefix { $0 != 0 }, as: UTF8.self)
                }
                if !name.hasPrefix(".") { names.append(name) }
            }
            return names
        }
    }
#endif

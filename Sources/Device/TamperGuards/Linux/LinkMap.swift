#if os(Linux)
    #if canImport(Glibc)
        import Glibc
    #elseif canImport(Musl)
        import Musl
    #endif

    /// Objects that the dynamic linker has loaded, by dl_iterate_phdr(3).
    struct LinkMap {
        /// Part of an object that is mapped from its file.
        struct Segment: Hashable {
            var range: Range<UInt>
            var offset: UInt
            /// Bytes that come from the file; the rest is zero.
            var fileByteCount: UInt
            var isExecutable: Bool
            var isWritable = false
        }

        /// A program, a library, or the object that the kernel gives to every process.
        struct Object: Hashable {
            /// Path as the linker has found it; empty for the program.
            var path: String
            /// Distance between addresses in the file and in memory.
            var bias: UInt
            var segments: [Segment] = []
            /// Addresses of the dynamic section; empty for an object without one.
            var dynamic: Range<UInt> = 0..<0
            var headers: Range<UInt> = 0..<0

            var name: String { SystemName(path).lastPart.text }
        }

        /// The objects, the program first.
        var objects: [Object] = []
        /// Number of times that objects were loaded or unloaded so far; 0 where the system does not count.
        var changes: UInt64 = 0

        var program: Object? { objects.first }

        /// Reads what is loaded now; nil where the system has no such function.
        static func current() -> LinkMap? {
            typealias Visit = @convention(c) (UnsafeRawPointer?, Int, UnsafeMutableRawPointer?) -> Int32
            typealias Iterate = @convention(c) (Visit, UnsafeMutableRawPointer?) -> Int32
            // The headers declare it for GNU sources only.
            guard MemoryLayout<UInt>.size == 8, let address = dlsym(nil, "dl_iterate_phdr") else { return nil }
            var map = LinkMap()
            _ = withUnsafeMutablePointer(to: &map) { pointer in
                unsafeBitCast(address, to: Iterate.self)(
                    { info, byteCount, map in
                        guard let info, let map = map?.assumingMemoryBound(to: LinkMap.self) else { return 0 }
                        map.pointee.add(info, byteCount)
                        return 0
                    }, pointer)
            }
            return map.objects.isEmpty ? nil : map
        }

        // MARK: - Reading the linker's structures

        /// Adds an object from a `dl_phdr_info`.
        private mutating func add(_ info: UnsafeRawPointer, _ byteCount: Int) {
            let name = info.load(fromByteOffset: 8, as: UnsafePointer<CChar>?.self)
            var object = Object(path: name.map { String(cString: $0) } ?? "", bias: info.load(as: UInt.self))
            let count = Int(info.load(fromByteOffset: 24, as: UInt16.self))
            object.segments.reserveCapacity(4)
            if let headers = info.load(fromByteOffset: 16, as: UnsafeRawPointer?.self) {
                let start = UInt(bitPattern: headers)
                object.headers = start..<start + UInt(count * Self.headerByteCount)
                for index in 0..<count { object.add(header: headers + index * Self.headerByteCount) }
            }
            objects.append(object)
            guard byteCount >= 48 else { return }
            changes = info.load(fromByteOffset: 32, as: UInt64.self) &+ info.load(fromByteOffset: 40, as: UInt64.self)
        }

        static let headerByteCount = 56
    }

    extension LinkMap.Object {
        /// Adds what an `Elf64_Phdr` describes: a loaded segment (1) or the dynamic section (2).
        fileprivate mutating func add(header: UnsafeRawPointer) {
            let kind = header.load(as: UInt32.self)
            let rights = header.load(fromByteOffset: 4, as: UInt32.self)
            let start = bias &+ header.load(fromByteOffset: 16, as: UInt.self)
            let byteCount = header.load(fromByteOffset: 40, as: UInt.self)
            let (end, isTooLarge) = start.addingReportingOverflow(byteCount)
            guard !isTooLarge else { return }
            switch kind {
            case 1:
                segments.append(
                    LinkMap.Segment(
                        range: start..<end, offset: header.load(fromByteOffset: 8, as: UInt.self),
                        fileByteCount: header.load(fromByteOffset: 32, as: UInt.self),
                        isExecutable: rights & 1 != 0, isWritable: rights & 2 != 0))
            case 2: dynamic = start..<end
            default: break
            }
        }
    }
#endif

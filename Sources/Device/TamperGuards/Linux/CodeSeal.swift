#if os(Linux)
    /// Seal of a program: digests of all that is loaded of its file, and of bundled files, written after linking and stripping.
    ///
    /// `script/maintain/seal` adds it as the section `.note.signet.seal`: an ELF note of the name `Signet` and the type 1,
    /// all numbers with the least significant byte first, filled up with zeros to a multiple of four bytes. It is no
    /// signature: an attacker who changes the file can seal it anew.
    ///
    /// | field | bytes |
    /// | --- | --- |
    /// | version, 1 | 4 |
    /// | bytes of a piece, a power of two from 4096 on | 4 |
    /// | number of segments, number of resources | 4, 4 |
    /// | for each segment: offset in the file, size | 8, 8 |
    /// | for each segment and piece: SHA-256 | 32 |
    /// | for each resource: SHA-256, length of the path, path below the program's folder | 32, 4, length |
    struct CodeSeal: Hashable, Sendable {
        static let section = ".note.signet.seal"
        static let byteLimit = 8 << 20
        private static let digestByteCount = 32

        /// Segment that was sealed.
        struct Segment: Hashable {
            var offset: UInt64
            var byteCount: UInt64
            var digests: [[UInt8]] = []
        }

        /// Bundled file that was sealed.
        struct Resource: Hashable {
            /// Path below the folder of the program.
            var path: String
            /// SHA-256 of the file.
            var digest: [UInt8]
        }

        let pieceByteCount: Int
        let segments: [Segment]
        let resources: [Resource]

        /// The seal of a program; nil for one without.
        ///
        /// One that cannot be read was changed, and fits no program.
        init?(of image: ProgramImage) {
            guard let note = image.section(named: Self.section, limit: Self.byteLimit) else { return nil }
            self = CodeSeal(note: note) ?? CodeSeal()
        }

        private init() { (pieceByteCount, segments, resources) = (4_096, [], []) }

        init?(note: [UInt8]) {
            var reader = SealReader(note[...])
            guard reader.number32() == 7, let byteCount = reader.number32(), reader.number32() == 1,
                reader.bytes(8).map({ $0.elementsEqual(Array("Signet\0\0".utf8)) }) == true,
                let content = reader.bytes(Int(byteCount))
            else { return nil }
            reader = SealReader(content)
            guard reader.number32() == 1, let piece = reader.number32(), (4_096...1 << 20).contains(piece),
                piece.nonzeroBitCount == 1, let segmentCount = reader.number32(), (1...16).contains(segmentCount),
                let resourceCount = reader.number32(), resourceCount <= 4_096
            else { return nil }
            pieceByteCount = Int(piece)
            guard let segments = Self.segments(Int(segmentCount), Int(piece), &reader),
                let resources = Self.resources(Int(resourceCount), &reader), reader.isAtEnd
            else { return nil }
            (self.segments, self.resources) = (segments, resources)
        }

        private static func segments(_ count: Int, _ piece: Int, _ reader: inout SealReader) -> [Segment]? {
            var segments: [Segment] = []
            for _ in 0..<count {
                guard let offset = reader.number64(), let byteCount = reader.number64(), byteCount <= 1 << 40 else {
                    return nil
                }
                segments.append(Segment(offset: offset, byteCount: byteCount))
            }
            for index in segments.indices {
                let pieces = (Int(segments[index].byteCount) + piece - 1) / piece
                guard let digests = reader.bytes(pieces * digestByteCount) else { return nil }
                segments[index].digests = stride(
                    from: digests.startIndex, to: digests.endIndex, by: digestByteCount
                ).map { Array(digests[$0..<$0 + digestByteCount]) }
            }
            return segments
        }

        private static func resources(_ count: Int, _ reader: inout SealReader) -> [Resource]? {
            var resources: [Resource] = []
            for _ in 0..<count {
                guard let digest = reader.bytes(digestByteCount), let length = reader.number32(), length <= 4_096,
                    let path = reader.bytes(Int(length))
                else { return nil }
                resources.append(Resource(path: String(decoding: path, as: UTF8.self), digest: Array(digest)))
            }
            return resources
        }
    }
#endif

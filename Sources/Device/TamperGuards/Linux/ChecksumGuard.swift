#if os(Linux)
    import Crypto

    #if canImport(Glibc)
        import Glibc
    #elseif canImport(Musl)
        import Musl
    #endif

    /// Guard over the program: memory against the file, and both against the seal written after linking.
    ///
    /// Against the file: the pages that are private copies are compared byte by byte; where the kernel does not say which
    /// they are, pieces in turn. Against the seal: pieces at random, so that no attacker knows which is next; of segments that
    /// the process may write to, as the file has them. A whole inspection, with which a sealed program begins, goes through
    /// everything.
    struct ChecksumGuard: TamperGuard {
        /// Pieces that a round compares, and an operation.
        private static let piecesOfRound = 8
        private static let piecesOfOperation = 1
        /// Size of a piece in a program without a seal.
        private static let pieceByteCount = 16_384
        /// Private copies that a round compares at most.
        private static let pagesOfRound = 64

        let kind = GuardFinding.Kind.checksum
        private let image: ProgramImage?
        private let seal: CodeSeal?
        private let pages: PageTable?
        private let random: @Sendable () -> UInt64

        init(
            _ image: ProgramImage?, seal: CodeSeal?, pages: PageTable? = PageTable(),
            random: @escaping @Sendable () -> UInt64 = { .random(in: 0...UInt64.max) }
        ) {
            self.image = image
            self.seal = seal
            self.pages = pages
            self.random = random
        }

        func inspect(_ extent: TamperGuardExtent) -> TamperGuardResult {
            guard let image else {
                return TamperGuardResult(unknown: ["the file of the program cannot be compared with the memory"])
            }
            guard seal.map({ isFor(image, $0) }) ?? true else {
                return TamperGuardResult(findings: [
                    GuardFinding(
                        kind, "checksum.layout", weight: 100,
                        evidence: "the segments of the program are not those that were sealed")
                ])
            }
            let differing = image.segments.indices.flatMap { changedOffsets(in: $0, of: image, extent) }
            return TamperGuardResult(findings: differing)
        }

        /// Whether the sealed segments belong to the program.
        private func isFor(_ image: ProgramImage, _ seal: CodeSeal) -> Bool {
            let sealed = seal.segments.map { [$0.offset, $0.byteCount] }
            return sealed == image.segments.map { [UInt64($0.offset), UInt64($0.fileByteCount)] }
        }

        private func changedOffsets(
            in index: Int, of image: ProgramImage, _ extent: TamperGuardExtent
        ) -> [GuardFinding] {
            let segment = image.segments[index]
            let loaded =
                segment.range.lowerBound..<segment.range.lowerBound
                + min(segment.fileByteCount, UInt(segment.range.count))
            var findings: [GuardFinding] = []
            var copies: [UInt]?
            if extent != .operation, !segment.isWritable {
                copies = pages?.privateCopies(in: loaded, limit: extent == .whole ? .max : Self.pagesOfRound)
                for page in copies ?? [] {
                    let part = (page..<page + PageTable.pageByteCount).clamped(to: loaded)
                    findings += comparison(of: part, in: segment, of: image)
                }
            }
            let sealed = seal.map { $0.segments[index] }
            // What the kernel knows of all pages needs no second look, unless there is a seal.
            guard findings.isEmpty, sealed != nil || copies == nil && !segment.isWritable else {
                return findings.first.map { [$0] } ?? []
            }
            for piece in chosenPieces(of: loaded, extent) {
                let start = loaded.lowerBound + UInt(piece * pieceByteCount)
                let part = start..<min(start + UInt(pieceByteCount), loaded.upperBound)
                findings =
                    sealed.map { verification(of: part, piece, against: $0, in: segment, of: image) }
                    ?? comparison(of: part, in: segment, of: image)
                if !findings.isEmpty { break }
            }
            return findings
        }

        private var pieceByteCount: Int { seal?.pieceByteCount ?? Self.pieceByteCount }

        /// Pieces of a segment to look at: all of them, or some at random.
        private func chosenPieces(of loaded: Range<UInt>, _ extent: TamperGuardExtent) -> [Int] {
            let count = (loaded.count + pieceByteCount - 1) / pieceByteCount
            guard count > 0 else { return [] }
            switch extent {
            case .whole: return Array(0..<count)
            case .round: return (0..<Self.piecesOfRound).map { _ in Int(random() % UInt64(count)) }
            case .operation: return (0..<Self.piecesOfOperation).map { _ in Int(random() % UInt64(count)) }
            }
        }

        // MARK: - Comparing

        /// Compares memory with the same bytes of the file.
        private func comparison(
            of part: Range<UInt>, in segment: LinkMap.Segment, of image: ProgramImage
        ) -> [GuardFinding] {
            let offset = UInt64(segment.offset &+ (part.lowerBound - segment.range.lowerBound))
            // A file that cannot be read is nothing to react to.
            guard let file = image.bytes(at: offset, count: part.count), let memory = Self.memory(part) else {
                return []
            }
            guard !Self.isSame(memory, file),
                let difference = zip(memory, file).enumerated().first(where: { $1.0 != $1.1 })?.offset
            else { return [] }
            let place = String(offset + UInt64(difference), radix: 16)
            return [
                GuardFinding(
                    kind, "checksum.file", weight: 100,
                    evidence: "the memory differs from the program's file at offset 0x\(place)")
            ]
        }

        /// Compares the digest of a piece with the seal's.
        private func verification(
            of part: Range<UInt>, _ piece: Int, against sealed: CodeSeal.Segment, in segment: LinkMap.Segment,
            of image: ProgramImage
        ) -> [GuardFinding] {
            let offset = segment.offset &+ (part.lowerBound - segment.range.lowerBound)
            var hash = SHA256()
            if !segment.isWritable, let memory = Self.memory(part) {
                hash.update(bufferPointer: memory)
            } else {
                guard let file = image.bytes(at: UInt64(offset), count: part.count) else { return [] }
                file.withUnsafeBytes { hash.update(bufferPointer: $0) }
            }
            guard piece < sealed.digests.count, !hash.finalize().elementsEqual(sealed.digests[piece]) else { return [] }
            let place = String(offset, radix: 16)
            return [
                GuardFinding(
                    kind, "checksum.seal", weight: 100,
                    evidence: "what is at offset 0x\(place) is not what was sealed after linking")
            ]
        }

        private static func isSame(_ memory: UnsafeRawBufferPointer, _ bytes: [UInt8]) -> Bool {
            bytes.withUnsafeBytes { bytes in
                guard let one = memory.baseAddress, let other = bytes.baseAddress else { return true }
                return memcmp(one, other, bytes.count) == 0
            }
        }

        /// The program's own memory, which stays mapped as long as the process lives.
        private static func memory(_ range: Range<UInt>) -> UnsafeRawBufferPointer? {
            UnsafeRawPointer(bitPattern: range.lowerBound).map {
                UnsafeRawBufferPointer(start: $0, count: range.count)
            }
        }
    }
#endif

import Glibc
import Locking
import Octets

/// The memory of this process, as the kernel shows it.
package enum OwnMemory {
    /// A secret in pages that are made for secrets, which the search passes over.
    package final class Needle: Sendable {
        private let octets: SecretOctets

        /// Random bytes.
        package convenience init(count: Int) {
            self.init(.min ... .max, count)
        }

        /// Random digits, as a person types them.
        package convenience init(digits count: Int) {
            self.init(UInt8(ascii: "0")...UInt8(ascii: "9"), count)
        }

        /// Random small letters, as a person types them.
        package convenience init(letters count: Int) {
            self.init(UInt8(ascii: "a")...UInt8(ascii: "z"), count)
        }

        private init(_ range: ClosedRange<UInt8>, _ count: Int) {
            octets = SecretOctets(count: count) { memory in
                var generator = SystemRandomNumberGenerator()
                for index in memory.indices { memory[index] = UInt8.random(in: range, using: &generator) }
            }
        }

        /// The bytes of a secret that exists, in the order in which they stand or from the last to the first.
        package init(copying bytes: UnsafeRawBufferPointer, isReversed: Bool = false) {
            octets = SecretOctets(count: bytes.count) { memory in
                for index in bytes.indices { memory[isReversed ? bytes.count - 1 - index : index] = bytes[index] }
            }
        }

        /// The last bytes of a file, which come to no other memory.
        package init(endOf path: String, count: Int) {
            octets = SecretOctets(count: count) { memory in
                let file = open(path, O_RDONLY | O_CLOEXEC)
                defer { close(file) }
                _ = pread(file, memory.baseAddress, count, lseek(file, 0, SEEK_END) - count)
            }
        }

        /// The bytes; they live as long as the needle.
        package var bytes: UnsafeRawBufferPointer { octets.withUnsafeBytes { $0 } }
    }

    /// Where a search reads memory to; one search at a time, because it holds what others look for.
    private static let window = Lock(UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 4_096))

    /// Which writable memory is searched.
    package enum Pages {
        /// What the kernel would write into a core file.
        case ordinary
        /// Pages made for secrets; the needle itself does not count.
        case forSecrets
    }

    /// The least number of bytes of a half that stands for the whole.
    private static let halfByteCount = 12

    /// How often a secret stands in the writable memory of this process.
    ///
    /// Of 24 bytes and more one half is enough: who frees memory writes over its beginning, and a block of a hash may end in
    /// the middle.
    package static func occurrences(
        of needle: Needle, in pages: Pages = .ordinary, countingHalves: Bool = true
    ) -> Int {
        occurrences(of: [needle], in: pages, countingHalves: countingHalves).first ?? 0
    }

    /// How often each of some secrets stands there; the memory is read once for all of them.
    package static func occurrences(
        of needles: [Needle], in pages: Pages = .ordinary, countingHalves: Bool = true
    ) -> [Int] {
        window.withLock { window in
            // Kept for the next search and not freed, where a copy of another one's secret would be found.
            defer { window.initializeMemory(as: UInt8.self, repeating: 0) }
            let parts = needles.map { Part.parts(of: $0, countingHalves: countingHalves) }
            var counts = counts(of: parts.flatMap(\.self), in: pages, through: window)[...]
            return parts.map { parts in
                defer { counts = counts.dropFirst(parts.count) }
                return counts.prefix(parts.count).max() ?? 0
            }
        }
    }

    /// What is looked for: a secret or one half of it.
    private struct Part {
        let bytes: UnsafeRawBufferPointer
        /// Where the secret of the test itself lies.
        let own: Range<Int>

        static func parts(of needle: Needle, countingHalves: Bool) -> [Part] {
            let whole = needle.bytes
            let half = whole.count / 2
            let isWhole = !countingHalves || half < halfByteCount
            return (isWhole ? [0..<whole.count] : [0..<half, half..<whole.count]).map { range in
                Part(bytes: UnsafeRawBufferPointer(rebasing: whole[range]), own: addresses(of: whole))
            }
        }
    }

    private static func addresses(of bytes: UnsafeRawBufferPointer) -> Range<Int> {
        Int(bitPattern: bytes.baseAddress)..<Int(bitPattern: bytes.baseAddress) + bytes.count
    }

    private static func counts(
        of parts: [Part], in pages: Pages, through buffer: UnsafeMutableRawBufferPointer
    ) -> [Int] {
        let memory = open("/proc/self/mem", O_RDONLY | O_CLOEXEC)
        defer { close(memory) }
        var counts = parts.map { _ in 0 }
        // Readings overlap, so that nothing hides on a border; what begins in the overlap belongs to the next one.
        let overlap = (parts.map(\.bytes.count).max() ?? 1) - 1
        for range in searchedRanges(pages) {
            var offset = range.lowerBound
            while offset < range.upperBound {
                let wanted = min(buffer.count, range.upperBound - offset)
                let count = pread(memory, buffer.baseAddress, wanted, offset)
                guard count > 0 else { break }
                let isLast = offset + count >= range.upperBound
                let step = isLast ? count : max(count - overlap, 1)
                let reading = UnsafeRawBufferPointer(rebasing: buffer[..<count])
                let hidden = addresses(of: UnsafeRawBufferPointer(buffer))
                for (index, part) in parts.enumerated() {
                    counts[index] += hits(of: part, in: reading, before: step) { position in
                        part.own.contains(offset + position) || hidden.contains(offset + position)
                    }
                }
                offset += step
            }
        }
        return counts
    }

    private typealias Search =
        @Sendable @convention(c) (UnsafeRawPointer, Int, UnsafeRawPointer, Int) ->
        UnsafeMutableRawPointer?

    /// `memmem` of the C library, which its header shows only where GNU's own functions are asked for.
    private static let search = dlsym(nil, "memmem").map { unsafeBitCast($0, to: Search.self) }

    /// How often a part begins in a reading before a position; without a search in the C library every reading is a hit.
    private static func hits(
        of part: Part, in reading: UnsafeRawBufferPointer, before end: Int, unless isKnown: (Int) -> Bool
    ) -> Int {
        guard let search, let head = part.bytes.baseAddress, let base = reading.baseAddress else { return 1 }
        var found = 0
        var start = 0
        while start < end, let hit = search(base + start, reading.count - start, head, part.bytes.count) {
            let position = UnsafeRawPointer(hit) - base
            guard position < end else { break }
            if !isKnown(position) { found += 1 }
            start = position + 1
        }
        return found
    }

    /// A part of the memory of this process, and what the kernel does with it (proc(5), `VmFlags`).
    package struct Mapping {
        package let range: Range<Int>
        package let isWritable: Bool
        package let flags: Set<Substring>
    }

    private static func searchedRanges(_ pages: Pages) -> [Range<Int>] {
        mappings().filter { $0.isWritable && $0.flags.contains("dd") == (pages == .forSecrets) }.map(\.range)
    }

    /// All of it.
    package static func mappings() -> [Mapping] {
        let file = open("/proc/self/smaps", O_RDONLY | O_CLOEXEC)
        defer { close(file) }
        var text: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while case let count = read(file, &chunk, chunk.count), count > 0 { text += chunk.prefix(count) }
        var mappings: [Mapping] = []
        var part: (range: Range<Int>, isWritable: Bool)?
        for line in String(decoding: text, as: UTF8.self).split(separator: "\n") {
            // Most lines are figures, which begin with a capital letter; addresses are written with small ones.
            guard line.first?.isUppercase != true || line.hasPrefix("VmFlags:") else { continue }
            let words = line.split(separator: " ")
            let ends = words[0].split(separator: "-").compactMap { Int($0, radix: 16) }
            if ends.count == 2, !words[0].hasSuffix(":") {
                part = (ends[0]..<ends[1], words[1].hasPrefix("rw"))
            } else if words[0] == "VmFlags:", let part {
                mappings.append(
                    Mapping(range: part.range, isWritable: part.isWritable, flags: Set(words.dropFirst())))
            }
        }
        return mappings
    }
}

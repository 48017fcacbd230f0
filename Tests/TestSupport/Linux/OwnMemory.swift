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
        let count = needle.bytes.count
        let isWhole = !countingHalves || count / 2 < halfByteCount
        let parts = isWhole ? [0..<count] : [0..<count / 2, count / 2..<count]
        return window.withLock { window in
            // Kept for the next search and not freed, where a copy of another one's secret would be found.
            defer { window.initializeMemory(as: UInt8.self, repeating: 0) }
            var most = 0
            for part in parts { most = max(most, occurrences(of: part, of: needle, in: pages, through: window)) }
            return most
        }
    }

    private static func occurrences(
        of part: Range<Int>, of whole: Needle, in pages: Pages, through buffer: UnsafeMutableRawBufferPointer
    ) -> Int {
        let needle = UnsafeRawBufferPointer(rebasing: whole.bytes[part])
        let memory = open("/proc/self/mem", O_RDONLY | O_CLOEXEC)
        defer { close(memory) }
        let own = [UnsafeRawBufferPointer(buffer), whole.bytes].map { bytes in
            Int(bitPattern: bytes.baseAddress)..<Int(bitPattern: bytes.baseAddress) + bytes.count
        }
        var found = 0
        for range in searchedRanges(pages) {
            var offset = range.lowerBound
            while offset < range.upperBound {
                let wanted = min(buffer.count, range.upperBound - offset)
                let count = pread(memory, buffer.baseAddress, wanted, offset)
                guard count > 0 else { break }
                found += hits(of: needle, in: UnsafeRawBufferPointer(rebasing: buffer[..<count])) { position in
                    own.contains { $0.contains(offset + position) }
                }
                // Parts overlap, so that nothing hides on a border.
                let isLast = offset + count >= range.upperBound
                offset += isLast ? count : max(count - needle.count + 1, 1)
            }
        }
        return found
    }

    private static func hits(
        of needle: UnsafeRawBufferPointer, in part: UnsafeRawBufferPointer, unless isKnown: (Int) -> Bool
    ) -> Int {
        guard let first = needle.first, let head = needle.baseAddress, let base = part.baseAddress else { return 0 }
        var found = 0
        var start = 0
        let last = part.count - needle.count
        while start <= last, let hit = memchr(base + start, Int32(first), last - start + 1) {
            let position = UnsafeRawPointer(hit) - base
            if memcmp(hit, head, needle.count) == 0, !isKnown(position) { found += 1 }
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

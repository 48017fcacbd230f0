import Glibc
import Octets
import Synchronization

/// The memory of this process, as the kernel shows it.
package enum OwnMemory {
    /// A secret in pages that are made for secrets, which the search passes over.
    package final class Needle: Sendable {
        private let octets: SecretOctets

        /// Random bytes.
        package init(count: Int) {
            octets = SecretOctets(count: count) { memory in
                var generator = SystemRandomNumberGenerator()
                for index in memory.indices { memory[index] = UInt8.random(in: .min ... .max, using: &generator) }
            }
        }

        /// Random digits, as a person types them.
        package init(digits count: Int) {
            octets = SecretOctets(count: count) { memory in
                var generator = SystemRandomNumberGenerator()
                for index in memory.indices {
                    memory[index] = UInt8.random(in: UInt8(ascii: "0")...UInt8(ascii: "9"), using: &generator)
                }
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
    private static let window = Mutex(UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 4_096))

    /// Which writable memory is searched.
    package static func occurrences(of needle: Needle) -> Int {
        window.withLock { window in
            // Kept for the next search and not freed, where a copy of another one's secret would be found.
            defer { window.initializeMemory(as: UInt8.self, repeating: 0) }
            return occurrences(of: needle, through: window)
        }
    }

    private static func occurrences(of needle: Needle, through buffer: UnsafeMutableRawBufferPointer) -> Int {
        let memory = open("/proc/self/mem", O_RDONLY | O_CLOEXEC)
        defer { close(memory) }
        let own = Int(bitPattern: buffer.baseAddress)..<Int(bitPattern: buffer.baseAddress) + buffer.count
        var found = 0
        for range in searchedRanges() {
            var offset = range.lowerBound
            while offset < range.upperBound {
                let wanted = min(buffer.count, range.upperBound - offset)
                let count = pread(memory, buffer.baseAddress, wanted, offset)
                guard count > 0 else { break }
                found += hits(of: needle.bytes, in: UnsafeRawBufferPointer(rebasing: buffer[..<count])) { position in
                    own.contains(offset + position)
                }
                // Parts overlap, so that nothing hides on a border.
                let isLast = offset + count >= range.upperBound
                offset += isLast ? count : max(count - needle.bytes.count + 1, 1)
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

    /// Writable memory that the kernel would write into a core file.
    private static func searchedRanges() -> [Range<Int>] {
        mappings().filter { $0.isWritable && !$0.flags.contains("dd") }.map(\.range)
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

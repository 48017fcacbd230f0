import Glibc
import Synchronization

/// The memory of this process, as the kernel shows it.
enum OwnMemory {
    /// A secret in a page of its own, which the search passes over.
    final class Needle: @unchecked Sendable {
        // Sendable: written in the initialiser only.
        let bytes: UnsafeRawBufferPointer

        init(count: Int) {
            let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: count, alignment: 4_096)
            var generator = SystemRandomNumberGenerator()
            for index in memory.indices { memory[index] = UInt8.random(in: .min ... .max, using: &generator) }
            bytes = UnsafeRawBufferPointer(memory)
        }

        deinit {
            bytes.deallocate()
        }
    }

    /// Where a search reads memory to; one search at a time, because it holds what others look for.
    private static let window = Mutex(UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 4_096))

    /// How often a secret stands in the writable memory of this process, not counting itself.
    static func occurrences(of needle: Needle) -> Int {
        window.withLock { window in
            // Kept for the next search and not freed, where a copy of another one's secret would be found.
            defer { window.initializeMemory(as: UInt8.self, repeating: 0) }
            return occurrences(of: needle, through: window)
        }
    }

    private static func occurrences(of needle: Needle, through buffer: UnsafeMutableRawBufferPointer) -> Int {
        let memory = open("/proc/self/mem", O_RDONLY | O_CLOEXEC)
        defer { close(memory) }
        var found = 0
        for range in writableRanges() {
            var offset = range.lowerBound
            while offset < range.upperBound {
                let wanted = min(buffer.count, range.upperBound - offset)
                let count = pread(memory, buffer.baseAddress, wanted, offset)
                guard count > 0 else { break }
                found += hits(of: needle, in: UnsafeRawBufferPointer(rebasing: buffer[..<count])) { position in
                    let address = offset + position
                    return address == Int(bitPattern: needle.bytes.baseAddress)
                        || (address >= Int(bitPattern: buffer.baseAddress)
                            && address < Int(bitPattern: buffer.baseAddress) + buffer.count)
                }
                // Parts overlap, so that nothing hides on a border.
                let isLast = offset + count >= range.upperBound
                offset += isLast ? count : max(count - needle.bytes.count + 1, 1)
            }
        }
        return found
    }

    private static func hits(
        of needle: Needle, in part: UnsafeRawBufferPointer, unless isKnown: (Int) -> Bool
    ) -> Int {
        guard let first = needle.bytes.first, let head = needle.bytes.baseAddress, let base = part.baseAddress else {
            return 0
        }
        var found = 0
        var start = 0
        let last = part.count - needle.bytes.count
        while start <= last, let hit = memchr(base + start, Int32(first), last - start + 1) {
            let position = UnsafeRawPointer(hit) - base
            if memcmp(hit, head, needle.bytes.count) == 0, !isKnown(position) { found += 1 }
            start = position + 1
        }
        return found
    }

    private static func writableRanges() -> [Range<Int>] {
        let file = open("/proc/self/maps", O_RDONLY | O_CLOEXEC)
        defer { close(file) }
        var text: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while case let count = read(file, &chunk, chunk.count), count > 0 {
            text.append(contentsOf: chunk.prefix(count))
        }
        return String(decoding: text, as: UTF8.self).split(separator: "\n").compactMap { line in
            let columns = line.split(separator: " ")
            let ends = columns[0].split(separator: "-").compactMap { Int($0, radix: 16) }
            guard columns[1].hasPrefix("rw"), ends.count == 2 else { return nil }
            return ends[0]..<ends[1]
        }
    }
}

import Glibc
import Testing

@testable import SecureStorage

@Suite("Locked octets", .serialized)
struct LockedOctetsTests {
    @Test("Many tasks read the same bytes at the same time, from values that begin and end meanwhile")
    func sharing() async throws {
        let shared = try #require(LockedOctets(count: 96) { $0.copyBytes(from: 0..<96) })
        let readings = await withTaskGroup(of: [UInt8].self) { group in
            for task in 0..<200 {
                group.addTask {
                    // Its pages come and go beside the shared ones.
                    let own = LockedOctets(count: task + 1) { $0[task] = 1 }
                    let isRight = own?.withUnsafeBytes(in: 0..<task + 1) { $0[task] == 1 } ?? false
                    return isRight ? shared.withUnsafeBytes(in: 32..<64) { Array($0) } : []
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(readings.count == 200)
        #expect(readings.allSatisfy { $0 == Array(32..<64) })
    }

    @Test("The pages are left out of core files, and locked where the account may lock memory")
    func pages() throws {
        let octets = try #require(LockedOctets(count: 32) { _ in })
        let address = octets.withUnsafeBytes(in: 0..<32) { Int(bitPattern: $0.baseAddress) }
        let flags = try #require(Self.flags(ofPagesAt: address))
        #expect(flags.contains("dd"), "the kernel would write them into a core file")
        let page = UnsafeMutableRawBufferPointer.allocate(byteCount: 4_096, alignment: 4_096)
        defer { page.deallocate() }
        let mayLock = mlock(page.baseAddress, page.count) == 0
        munlock(page.baseAddress, page.count)
        #expect(flags.contains("lo") || !mayLock)
    }

    @Test("After the last owner let go, the process holds no copy")
    func wiping() throws {
        let needle = OwnMemory.Needle(count: 64)
        var octets = LockedOctets(count: 64) { $0.copyMemory(from: needle.bytes) }
        #expect(octets?.withUnsafeBytes(in: 0..<64) { $0.elementsEqual(needle.bytes) } == true)
        #expect(OwnMemory.occurrences(of: needle) == 1)
        octets = nil
        #expect(OwnMemory.occurrences(of: needle) == 0)
    }

    @Test("Nothing is made of no bytes")
    func empty() {
        #expect(LockedOctets(count: 0) { _ in } == nil)
    }

    /// What the kernel says of the mapping that holds an address (proc(5), `VmFlags`).
    private static func flags(ofPagesAt address: Int) -> [Substring]? {
        let file = open("/proc/self/smaps", O_RDONLY | O_CLOEXEC)
        defer { close(file) }
        var text: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while case let count = read(file, &chunk, chunk.count), count > 0 { text += chunk.prefix(count) }
        var isInside = false
        for line in String(decoding: text, as: UTF8.self).split(separator: "\n") {
            let words = line.split(separator: " ")
            let ends = words[0].split(separator: "-").compactMap { Int($0, radix: 16) }
            if ends.count == 2, !words[0].hasSuffix(":") { isInside = (ends[0]..<ends[1]).contains(address) }
            if isInside, words[0] == "VmFlags:" { return Array(words.dropFirst()) }
        }
        return nil
    }
}

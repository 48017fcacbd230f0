import Glibc
import Octets
import TestSupport
import Testing

@Suite("D-L2: the memory of secrets", .serialized)
struct LockedPagesTests {
    @Test(
        "D-L2: its pages are left out of core files, and locked where the account may lock memory",
        arguments: [1, 32, 5_000])
    func pages(count: Int) throws {
        let octets = SecretOctets(count: count) { _ in }
        let address = octets.withUnsafeBytes { Int(bitPattern: $0.baseAddress) }
        let mapping = try #require(OwnMemory.mappings().first { $0.range.contains(address) })
        #expect(mapping.flags.contains("dd"), "the kernel would write it into a core file")
        let page = UnsafeMutableRawBufferPointer.allocate(byteCount: 4_096, alignment: 4_096)
        defer { page.deallocate() }
        let mayLock = mlock(page.baseAddress, page.count) == 0
        munlock(page.baseAddress, page.count)
        #expect(mapping.flags.contains("lo") || !mayLock)
    }

    @Test(
        "D-L2: what is let go of is overwritten before the next secret gets the place",
        arguments: [1, 31, 32, 33, 2_048, 9_000])
    func reuse(count: Int) {
        for round in 0..<200 {
            let fresh = SecretOctets(count: count) { memory in
                #expect(memory.allSatisfy { $0 == 0 }, "round \(round)")
                memory.initializeMemory(as: UInt8.self, repeating: 0xA5)
            }
            #expect(fresh.withUnsafeBytes { $0.allSatisfy { $0 == 0xA5 } })
        }
    }

    @Test("D-L2: secrets of every size that live at the same time have places of their own")
    func places() async {
        let isRight = await withTaskGroup(of: Bool.self) { group in
            for task in 0..<200 {
                group.addTask {
                    let secrets = (0..<8).map { Kept(byte: UInt8(task), count: 1 + task * (1 + $0)) }
                    await Task.yield()
                    return secrets.allSatisfy(\.isWhole)
                }
            }
            return await group.reduce(true) { $0 && $1 }
        }
        #expect(isRight)
    }

    private final class Kept: Sendable {
        private let octets: SecretOctets
        private let byte: UInt8

        init(byte: UInt8, count: Int) {
            self.byte = byte
            octets = SecretOctets(copying: repeatElement(byte, count: count))
        }

        var isWhole: Bool { octets.withUnsafeBytes { $0.allSatisfy { $0 == byte } } }
    }

    @Test("The search of memory finds what lies elsewhere, and passes over secrets in their pages")
    func control() {
        let needle = OwnMemory.Needle(count: 64)
        let secret = SecretOctets(copying: needle.bytes)
        #expect(OwnMemory.occurrences(of: needle) == 0)
        let copy = [UInt8](needle.bytes)
        #expect(OwnMemory.occurrences(of: needle) == 1)
        withExtendedLifetime(copy) {}
        _ = consume secret
    }
}

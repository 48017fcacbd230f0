import TestSupport
import Testing

@testable import TamperGuards

@Suite("Seals, link maps and pointers of a program")
struct CodeSealTests {
    private func number(_ value: Int, _ count: Int = 4) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }

    /// Note with a segment of 5000 bytes in pieces of 4096, and a resource.
    private func note(version: Int = 1, piece: Int = 4_096, resources: Int = 1, path: String = "a/b") -> [UInt8] {
        let head = number(version) + number(piece) + number(1) + number(resources)
        let segment = number(64, 8) + number(5_000, 8) + [UInt8](repeating: 1, count: 64)
        let resource = [UInt8](repeating: 2, count: 32) + number(path.utf8.count) + Array(path.utf8)
        let content = head + segment + (resources > 0 ? resource : [])
        return number(7) + number(content.count) + number(1) + Array("Signet\0\0".utf8) + content
    }

    @Test("A seal is read as it was written")
    func reading() throws {
        let seal = try #require(CodeSeal(note: note()))
        #expect(seal.pieceByteCount == 4_096)
        #expect(seal.segments.map(\.digests.count) == [2] && seal.segments[0].byteCount == 5_000)
        #expect(seal.resources == [CodeSeal.Resource(path: "a/b", digest: [UInt8](repeating: 2, count: 32))])
    }

    @Test("A seal that is cut, has numbers out of bounds or something behind it is none, and nothing traps")
    func malformed() {
        let whole = note()
        for count in 0..<whole.count { #expect(CodeSeal(note: Array(whole.prefix(count))) == nil) }
        for bad in [
            note(version: 2), note(piece: 4_097), note(piece: 1 << 30), note(resources: 2), note(resources: 1 << 31),
        ] {
            #expect(CodeSeal(note: bad) == nil)
        }
        for place in whole.indices {
            var changed = whole
            changed[place] = 0xFF
            // Some changes are of digests; what matters is that each is read or refused.
            _ = CodeSeal(note: changed)
        }
    }

    @Test("The program of the tests has code, a file that is its own, and no seal")
    func ownImage() throws {
        let image = try #require(ProgramImage())
        #expect(!image.segments.isEmpty)
        #expect(CodeSeal(of: image) == nil)
        #expect(ChecksumGuard(image, seal: nil).inspect(.round).findings.isEmpty)
    }

    @Test(
        "A file that is not the program's is not compared with it", arguments: ["/bin/sh", "/dev/null", "/none"])
    func foreignFile(path: String) {
        #expect(ProgramImage(path: path) == nil)
    }

    @Test("A seal of other code is found")
    func foreignSeal() throws {
        let image = try #require(ProgramImage())
        let seal = try #require(CodeSeal(note: note()))
        #expect(ChecksumGuard(image, seal: seal).inspect(.operation).findings.map(\.name) == ["checksum.layout"])
    }

    @Test("Pointers of the program lead to code of loaded objects; into a distrusted one they are found")
    func pointers() throws {
        let map = try #require(LinkMap.current())
        #expect(PointerTable(map, distrusted: [], isWhole: true).result.findings.isEmpty)
        let distrusted = map.objects.filter { $0.name.hasPrefix("libc.so") }
        try #require(!distrusted.isEmpty)
        let result = PointerTable(map, distrusted: distrusted, isWhole: false).result
        #expect(result.findings.map(\.name) == ["hook.pointer"])
    }

    @Test("Loaded libraries are expected where the program or one of its libraries names them, and nowhere else")
    func objects() throws {
        var map = try #require(LinkMap.current())
        map.objects.append(LinkMap.Object(path: "/tmp/hook.so", bias: 0))
        map.objects.append(LinkMap.Object(path: "/usr/lib/security/pam_sample.so", bias: 0))
        // The runner of the tests may be loaded as a library itself.
        func names(_ orders: [String] = [], allowing allowed: [String] = []) -> [String] {
            var allowances = GuardPolicy.Allowances()
            allowances.objects = allowed
            return LoadedObjects(map, orders: orders, allowances: allowances).findings.filter {
                $0.evidence.contains("hook.so") || $0.evidence.contains("pam_sample") || $0.evidence.contains("libc.so")
            }.map(\.name)
        }
        #expect(names() == ["hook.foreign-object"])
        #expect(names(["/tmp/hook.so"]) == ["hook.preloaded-object"])
        #expect(names(allowing: ["/tmp/"]).isEmpty && names(allowing: ["/tmp/hook.so"]).isEmpty)
        #expect(names(allowing: ["/tmp/hook"]) == ["hook.foreign-object"])
    }

    @Test("Memory that is not mapped is read as nothing, without a fault")
    func unmapped() {
        #expect(MappedMemory.bytes(at: 16, count: 64) == nil && MappedMemory.text(at: 16) == nil)
        #expect(MappedMemory.bytes(at: 16, count: 0) == nil)
    }
}

import Foundation
import TestSupport
import Testing

@testable import TamperGuards

@Suite("A look at memory reads octets of any form, and is shared by the guards of one start and no longer")
struct ProcessMemoryTests {
    private let folder: TemporaryFolder
    private let files: ProcessFiles

    init() throws {
        folder = try TemporaryFolder()
        files = ProcessFiles(root: folder.path)
    }

    /// Puts octets where a guard looks for a file of the system.
    private func put(_ octets: some Sequence<UInt8>, at path: String) throws {
        let url = URL(filePath: folder.path + path)
        try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(octets).write(to: url)
    }

    // MARK: - Names

    @Test(
        "The last part of a path stands behind the last slash, but for slashes at the end",
        arguments: [
            ("/usr/lib/libc.so.6", "libc.so.6"), ("libc.so.6", "libc.so.6"), ("/a b/c d", "c d"), ("/a/b//", "b"),
            ("//b", "b"), ("", ""), ("/", ""), ("///", ""), ("b/", "b"),
        ])
    func lastParts(path: String, name: String) {
        #expect(SystemName(path).lastPart == SystemName(name))
        #expect(LinkMap.Object(path: path, bias: 0).name == name)
    }

    @Test("Names that are no UTF-8 stay apart, although people read the same text")
    func invalidNames() {
        let (one, other) = (SystemName([0x2F, 0xFF]), SystemName([0x2F, 0xFE]))
        #expect(one != other && one.text == other.text && Set([one, other]).count == 2)
        #expect(one.lastPart.octets == [0xFF] && one == SystemName(Array([0x2F, 0xFF, 0x00])[0..<2]))
    }

    @Test("Beginnings, ends and words are found, in small and large letters, and nothing that resembles them")
    func words() {
        let name = SystemName("/tmp/FRIDA-agent (deleted)")
        #expect(name.hasPrefix("/tmp/") && name.hasSuffix(" (deleted)") && name.hasPrefix("") && name.hasSuffix(""))
        #expect(!name.hasPrefix("tmp") && !name.hasSuffix("deleted") && !SystemName("ed)").hasSuffix(" (deleted)"))
        let word = Array("frida".utf8)
        for found in ["/tmp/FRIDA-agent", "frida", "a-Frida", "ffrida", "/frida\u{301}"] {
            #expect(SystemName(found).contains(word: word), "\(found)")
        }
        #expect(SystemName([0xFF] + word + [0xFE]).contains(word: word))
        for other in ["", "frid", "fridge.ttf", "fri/da", "ada"] {
            #expect(!SystemName(other).contains(word: word), "\(other)")
        }
        #expect(SystemName("/a/b").fromLastSlash == SystemName("/b") && SystemName("a").fromLastSlash == nil)
    }

    @Test(
        "A word is the first line that is not empty",
        arguments: [
            ("gmain\n", "gmain"), ("gmain", "gmain"), ("\n\r\ngmain\nother\n", "gmain"), ("a name\r\n", "a name"),
            ("a:b\u{0}\n", "a:b\u{0}"), ("", nil), ("\n\n", nil),
        ])
    func firstLines(text: String, word: String?) throws {
        try put(text.utf8, at: "/comm")
        #expect(files.word(at: "/comm") == word)
    }

    @Test("A word that is no UTF-8 is read, and one that does not end is cut")
    func strangeWords() throws {
        try put([0x61, 0xFF, 0x0A], at: "/comm")
        #expect(files.word(at: "/comm") == "a\u{FFFD}")
        try put(repeatElement(0x61, count: 1_000), at: "/comm")
        #expect(files.word(at: "/comm")?.count == 256)
        #expect(files.word(at: "/none") == nil)
    }

    // MARK: - Lists

    private static let line = "1000-2000 r-xp 00000000 fe:00 7      /opt/a b/\u{E9}.so"

    @Test("A last line without a line feed is read like the others, and an empty list has no mapping")
    func lastLine() {
        let map = MemoryMap(Self.line + "\n\n" + Self.line)
        #expect(map.mappings.map(\.name) == ["/opt/a b/\u{E9}.so", "/opt/a b/\u{E9}.so"])
        #expect(map.mappings.allSatisfy { $0.isExecutable && $0.isFile && !$0.isWritable && !$0.isOfKernel })
        #expect(MemoryMap("").mappings.isEmpty && MemoryMap("\n\n").mappings.isEmpty)
        #expect(
            ["[vdso]", "[vsyscall]", "[uprobes]"].allSatisfy {
                MemoryMap("1-2 r-xp 0 0 0 " + $0).mappings[0].isOfKernel
            })
        #expect(!MemoryMap("1-2 r-xp 0 0 0 [vdso] ").mappings[0].isOfKernel)
    }

    @Test("A name that is no UTF-8 keeps its octets")
    func invalidMapping() {
        let map = MemoryMap(Array("1000-2000 r-xp 0 fe:00 7 /a".utf8) + [0xFF, 0x0A])
        #expect(map.mappings.map(\.path) == [SystemName([0x2F, 0x61, 0xFF])])
        #expect(map.mappings.map(\.isFile) == [true])
    }

    @Test(
        "Lines of another form are no mapping",
        arguments: [
            "1000", "1000-", "-2000 r-xp 0 0 0", "1000-2000", "1000-2000 ", "1000-2000 r-xp", "1000-2000 r-xp 0 0",
            "2000-1000 r-xp 0 0 0", "1000-2000\tr-xp 0 0 0", "x000-2000 r-xp 0 0 0", "1000 -2000 r-xp 0 0 0",
            "10000000000000000-2 r-xp 0 0 0", " 1000-2000 r-xp 0 0 0",
        ])
    func malformed(line: String) {
        #expect(MemoryMap(line).mappings.isEmpty && MemoryMap(line + "\n").mappings.isEmpty)
        #expect(MemoryMap(line + "\n" + Self.line + "\n").mappings.count == 1)
    }

    @Test("A list that is cut anywhere, or has any other octet anywhere, is read without a trap")
    func damaged() {
        let whole = Array((Self.line + "\n" + Self.line).utf8)
        for count in 0...whole.count { #expect(MemoryMap(Array(whole.prefix(count))).mappings.count <= 2) }
        for place in whole.indices {
            for octet: UInt8 in [0x00, 0x0A, 0x20, 0x2D, 0x2F, 0x66, 0xFF] {
                var changed = whole
                changed[place] = octet
                // A line feed in the middle can make a third line, which is no mapping.
                #expect(MemoryMap(changed).mappings.count <= 2)
            }
        }
    }

    @Test(
        "The kernel's query tells of code what the list tells", .enabled(if: MappingQuery.code(ProcessFiles()) != nil))
    func query() throws {
        let path = folder.path + "/a b\n\u{E9}.so"
        try Data(repeating: 0xC3, count: 4_096).write(to: URL(filePath: path))
        let descriptor = open(path, O_RDONLY)
        defer { close(descriptor) }
        let named = mmap(nil, 4_096, PROT_READ | PROT_EXEC, MAP_PRIVATE, descriptor, 0)
        let nameless = mmap(nil, 4_096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        defer { for place in [named, nameless] { munmap(place, 4_096) } }
        let system = ProcessFiles()
        let before = try #require(LinkMap.current()).objects
        let asked = try #require(MappingQuery.code(system))
        let listed = MemoryMap(try #require(system.bytes(at: "/proc/self/maps"))).mappings
        func mapping(_ place: UnsafeMutableRawPointer?, in mappings: [MemoryMap.Mapping]) -> MemoryMap.Mapping? {
            mappings.first { $0.range.contains(UInt(bitPattern: place)) }
        }
        for place in [named, nameless] {
            let one = try #require(mapping(place, in: asked))
            #expect(one == mapping(place, in: listed))
        }
        #expect(mapping(named, in: asked)?.name == path.replacing("\n", with: "\\012"))
        #expect(mapping(nameless, in: asked)?.name.isEmpty == true)
        // Other threads load and unload objects, a conversion of characters among them: the ones that were there before
        // and after were there throughout.
        let after = try #require(LinkMap.current()).objects
        let stayed = before.filter { object in after.contains { $0.path == object.path && $0.bias == object.bias } }
        #expect(stayed.contains { $0.name.hasPrefix("libc.so") })
        for segment in stayed.flatMap(\.segments) where segment.isExecutable {
            let place = UnsafeMutableRawPointer(bitPattern: segment.range.lowerBound)
            let one = try #require(mapping(place, in: asked))
            #expect(one == mapping(place, in: listed) && one.isExecutable)
        }
    }

    @Test("A file that knows no query is read as a list")
    func withoutQuery() throws {
        try put((Self.line + "\n").utf8, at: "/proc/self/maps")
        #expect(MappingQuery.code(files) == nil && MappingQuery.code(ProcessFiles(root: "/no/such")) == nil)
        #expect(MemoryMap.current(files)?.mappings.count == 1)
        try put("".utf8, at: "/proc/self/maps")
        #expect(MemoryMap.current(files) == nil && MemoryMap.current(ProcessFiles(root: "/no/such")) == nil)
    }

    @Test("Pieces of memory are read at once, and one that cannot be read leaves the others as they are")
    func pieces() {
        let octets = (0..<200).map { UInt8($0) }
        octets.withUnsafeBytes { buffer in
            let start = UInt(bitPattern: buffer.baseAddress)
            func piece(_ first: UInt, _ end: UInt) -> Range<UInt> { start + first..<start + end }
            let all = MappedMemory.pieces([piece(0, 3), piece(5, 5), piece(100, 200)])
            #expect(all.map { $0.map(Array.init) } == [[0, 1, 2], nil, Array(100..<200)])
            let some = MappedMemory.pieces([piece(0, 3), 16..<32, piece(5, 5), piece(7, 8), 0..<UInt.max])
            #expect(some.map { $0.map(Array.init) } == [[0, 1, 2], nil, nil, [7], nil])
            let many = MappedMemory.pieces(Array(repeating: piece(9, 10), count: 1_025))
            #expect(many.count == 1_025 && many.allSatisfy { $0 == [9] })
            #expect(MappedMemory.pieces([]).isEmpty)
        }
    }

    @Test("A dynamic section that cannot be read is none, and one of nothing names nothing")
    func sections() throws {
        var object = LinkMap.Object(path: "/opt/lib.so", bias: 0)
        #expect(DynamicSection(of: object) == nil)
        object.dynamic = 16..<80
        #expect(DynamicSection(of: object) == nil)
        let map = try #require(LinkMap.current())
        let library = try #require(map.objects.first { $0.name.hasPrefix("libstdc++.so") })
        let section = try #require(DynamicSection(of: library))
        #expect(
            DynamicSection.neededNames(of: [section, nil])[0].contains(SystemName("libc.so.6"))
                && !section.slotAddresses.isEmpty)
    }

    // MARK: - Ranges

    @Test("Ranges in any order contain and overlap what one of them does")
    func ranges() {
        var random = SystemRandomNumberGenerator()
        for _ in 0..<500 {
            let ranges = (0..<6).map { _ in
                let start = UInt.random(in: 0...40, using: &random)
                return start..<start + .random(in: 0...9, using: &random)
            }
            let joined = AddressRanges(ranges)
            for address in UInt(0)...50 {
                #expect(joined.contains(address) == ranges.contains { $0.contains(address) })
                let range = address..<address + .random(in: 0...9, using: &random)
                #expect(joined.overlaps(range) == ranges.contains { $0.overlaps(range) })
            }
        }
    }

    @Test("The last addresses are no special case, and no range has none")
    func lastAddresses() {
        let ranges = AddressRanges([UInt.max - 1..<UInt.max, 0..<1])
        #expect(ranges.contains(0) && ranges.contains(.max - 1) && !ranges.contains(.max) && !ranges.contains(1))
        let none = AddressRanges([5..<5])
        #expect(!none.contains(5) && !none.overlaps(0..<UInt.max))
    }

    // MARK: - Sharing

    @Test("A look sees one state, the next one another")
    func renewal() throws {
        try put((Self.line + "\n").utf8, at: "/proc/self/maps")
        var memory = ProcessMemory(files: files)
        #expect(memory.strangers.map(\.name) == ["/opt/a b/\u{E9}.so"])
        try put("".utf8, at: "/proc/self/maps")
        #expect(memory.mappings?.mappings.count == 1 && memory.strangers.count == 1 && memory.objects != nil)
        memory.renew()
        #expect(memory.mappings == nil && memory.strangers.isEmpty && memory.objects != nil)
    }

    @Test("Guards find in a shared look what each finds alone")
    func sharing() throws {
        try put("1000-2000 r-xp 0 00:00 7 /tmp/frida-agent.so\n".utf8, at: "/proc/self/maps")
        try put("worker\n".utf8, at: "/proc/self/task/1/comm")
        let guards: [any ProcessMemoryGuard] = [
            HookGuard(files: files) { _ in nil }, InstrumentationGuard(files: files),
        ]
        var memory = ProcessMemory(files: files)
        for one in guards { #expect(one.inspect(.round, in: &memory) == one.inspect(.round)) }
        #expect(memory.mappings?.mappings.count == 1)
        let names = Set(guards.flatMap { $0.inspect(.round, in: &memory).findings }.map(\.name))
        #expect(names.isSuperset(of: ["hook.unnamed-object", "instrumentation.agent"]))
    }

    @Test("A thread in code without a file is found; one in a library that the linker has named since is not")
    func places() throws {
        func isFound(_ memory: inout ProcessMemory) -> Bool {
            InstrumentationGuard(files: files).inspect(.round, in: &memory).findings.contains {
                $0.name == "instrumentation.foreign-thread"
            }
        }
        try put("0 0x1 0x2 0x3 0x4 0x5 0x6 0x7ffc0000 0x1800\n".utf8, at: "/proc/self/task/1/syscall")
        try put((Self.line + "\n").utf8, at: "/proc/self/maps")
        var memory = ProcessMemory(files: files)
        #expect(isFound(&memory))
        memory.renew()
        #expect(memory.strangers.count == 1)
        try put("1000-2000 r-xp 0 00:00 7 /usr/lib/libnew.so\n".utf8, at: "/proc/self/maps")
        #expect(!isFound(&memory))
    }

    @Test("The guards that share a look at the start are those at the same places of the network")
    func network() {
        let guards = GuardNetwork(policy: .reporting)
        #expect(Set(guards.memoryGuards.values.map(\.kind)) == [.hook, .instrumentation])
        for (place, one) in guards.memoryGuards { #expect(guards.guards[place].kind == one.kind) }
    }
}

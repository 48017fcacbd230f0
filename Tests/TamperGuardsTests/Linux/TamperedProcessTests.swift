import Foundation
import Locking
import TestSupport
import Testing

@testable import TamperGuards

@Suite("Guards in real processes that are traced, hooked, patched and instrumented", .serialized)
struct TamperedProcessTests {
    /// Way to tamper with the child: programs above it, its act, and the rules that have to find it.
    struct Way: Sendable, CustomTestStringConvertible {
        let name: String
        var programs: [String] = []
        var act: [String] = ["wait"]
        var isPreloaded = false
        let rules: Set<String>

        var testDescription: String { name }
    }

    static let ways = [
        Way(
            name: "strace", programs: ["strace", "-f", "-o", "/dev/null"],
            rules: ["debugger.tracer", "debugger.parent"]),
        Way(name: "a patched byte", act: ["patch"], rules: ["checksum.file"]),
        Way(name: "a preloaded library", isPreloaded: true, rules: ["hook.preload-variable", "hook.preloaded-object"]),
        Way(name: "a mapped object", act: ["map", "LIBRARY"], rules: ["hook.unnamed-object"]),
        Way(
            name: "a listener on the instrumentation port", act: ["listen", "27042"],
            rules: ["instrumentation.own-port"]),
    ]

    private func run(_ reaction: String, _ way: Way, seconds: Double = 60) throws -> GuardedChild {
        let folder = try TemporaryFolder()
        let library = try Workshop.library(in: folder)
        let act = way.act.map { $0 == "LIBRARY" ? library : $0 } + [""]
        return try GuardedChild(
            reaction, act[0], act[1], under: way.programs,
            environment: way.isPreloaded ? ["LD_PRELOAD": library] : [:], seconds: seconds)
    }

    @Test("Each way is found, by its rules and by no other", arguments: ways)
    func found(way: Way) throws {
        let child = try run("report", way)
        #expect(child.rules == way.rules, "\(child.lines)")
        #expect(child.lines.last == "alive")
    }

    @Test("The reaction crash kills the process, and nothing is said on standard error", arguments: ways)
    func crash(way: Way) throws {
        let child = try run("crash", way)
        #expect(child.signal == SIGKILL, "\(child.lines)")
        #expect(child.complaints.isEmpty && !child.lines.contains("alive"))
    }

    @Test(
        "The reaction crash ends the first process of a container, which the system does not kill",
        .enabled(if: geteuid() == 0, "only root may make a namespace of processes"))
    func crashOfFirstProcess() throws {
        let child = try GuardedChild(
            "crash", "patch", under: ["unshare", "--pid", "--fork", "--kill-child", "--mount-proc"], seconds: 20)
        #expect(!child.isStuck && child.lines == ["started", "acted"], "\(child.lines)")
        #expect(!child.complaints.contains("GuardChild"), "\(child.complaints)")
    }

    @Test("The reaction throw refuses with the kinds", arguments: ways)
    func refusal(way: Way) throws {
        let child = try run("throw", way)
        let kinds = Set(way.rules.compactMap { $0.split(separator: ".").first.map(String.init) })
        #expect(child.lines.last == "refused " + kinds.sorted().joined(separator: " "))
        #expect(child.signal == nil)
    }

    @Test("The reaction stop keeps the process from going on, without ending it")
    func standstill() throws {
        let child = try run("stop", Self.ways[1], seconds: 6)
        #expect(child.isStuck)
        #expect(child.lines == ["started", "acted"])
    }

    @Test("A breakpoint of gdb is found as a tracer and as changed code, and ends a process that crashes on it")
    func breakpoint() throws {
        let gdb = ["gdb", "-batch", "-nx", "-ex", "break guard_child_target", "-ex", "run", "--args"]
        let reported = try GuardedChild("report", "none", under: gdb)
        #expect(reported.rules == ["debugger.tracer", "debugger.parent", "checksum.file"], "\(reported.lines)")
        let crashed = try GuardedChild("crash", "wait", under: gdb)
        #expect(crashed.lines.contains { $0.contains("SIGKILL") }, "\(crashed.lines)")
        #expect(!crashed.lines.contains("alive"))
    }

    @Test("A listener on another port, and one in another process, are reported and have no consequences")
    func weakSigns() throws {
        let other = try GuardedChild("report", "listen", "27142")
        #expect(other.rules == ["instrumentation.other-port"])
        let survivor = try GuardedChild("crash", "listen", "27142")
        #expect(survivor.lines.last == "alive")
    }

    @Test("Libraries of a folder that the environment names are reported, and have no consequences alone")
    func libraryPath() throws {
        let folder = try TemporaryFolder()
        let map = try #require(LinkMap.current())
        let library = try #require(map.objects.first { $0.name.hasPrefix("libgcc_s.so") })
        try Data(contentsOf: URL(filePath: library.path)).write(to: URL(filePath: "\(folder.path)/\(library.name)"))
        let environment = ["LD_LIBRARY_PATH": folder.path]
        let report = try GuardedChild("report", "none", environment: environment)
        #expect(report.rules == ["hook.library-path"], "\(report.lines)")
        #expect(try GuardedChild("crash", "none", environment: environment).lines.last == "alive")
    }

    // MARK: - What survives, and what is wiped

    @Test("Secrets in memory are wiped, small and large ones, and new ones can be made")
    func wiping() throws {
        #expect(try GuardedChild("report", "wipe").lines == ["wiped true true", "usable true"])
    }

    @Test("The reaction crash wipes secrets before it ends the process")
    func wipingBeforeTheEnd() throws {
        // A pipe: no file of the process grows any more by then.
        let child = try GuardedChild("crash", "witness", under: ["sh", "-c", "\"$0\" \"$@\" | cat"])
        #expect(child.lines.contains("wiped") && !child.lines.contains("alive"), "\(child.lines)")
    }

    @Test("What a process was just storing when its secrets were wiped and it was killed is whole")
    func storing() throws {
        for round in 0..<20 {
            let folder = try TemporaryFolder()
            let child = try GuardedChild("crash", "store", folder.path + "/secret")
            #expect(child.signal == SIGKILL, "round \(round): \(child.lines)")
            #expect(try folder.bytes(of: "secret") == [UInt8](repeating: 0x5A, count: 32), "round \(round)")
        }
    }

    // MARK: - Seals

    @Test("A program without a seal reports and goes on; a sealed one ends")
    func enforcement() throws {
        let unsealed = try GuardedChild("sealed", "patch")
        #expect(unsealed.lines.last == "alive")
        let folder = try TemporaryFolder()
        let path = try Workshop.sealedChild(in: folder)
        #expect(try GuardedChild("sealed", "none", path: path).lines.last == "alive")
        #expect(try GuardedChild("sealed", "patch", path: path).signal == SIGKILL)
        #expect(try GuardedChild("report", "none", path: path).rules.isEmpty)
    }

    @Test("A seal counts also where the dynamic linker was started with the program as its argument")
    func startedByLinker() throws {
        let linkers = ["/lib64/ld-linux-x86-64.so.2", "/lib/ld-linux-aarch64.so.1"]
        let linker = [try #require(linkers.first { access($0, X_OK) == 0 })]
        let folder = try TemporaryFolder()
        let path = try Workshop.sealedChild(in: folder)
        #expect(try GuardedChild("sealed", "none", path: path, under: linker).lines.last == "alive")
        #expect(try GuardedChild("report", "none", path: path, under: linker).rules.isEmpty)
        #expect(try GuardedChild("sealed", "patch", path: path, under: linker).signal == SIGKILL)
    }

    @Test("A seal counts also where a filter of system calls refuses to read memory")
    func filteredCalls() throws {
        let folder = try TemporaryFolder()
        let path = try Workshop.sealedChild(in: folder)
        #expect(try GuardedChild("sealed", "none", path: path, under: Self.filter).lines.last == "alive")
        let report = try GuardedChild("report", "none", path: path, under: Self.filter)
        #expect(report.rules.isEmpty && report.lines.contains { $0.hasPrefix("unknown the pointers of") })
        #expect(try GuardedChild("sealed", "patch", path: path, under: Self.filter).signal == SIGKILL)
    }

    /// Runs a program with a filter (seccomp(2)) under which process_vm_readv(2) ends with EPERM.
    private static let filter = [
        "python3", "-c",
        """
        import ctypes, os, platform, struct, sys
        call = {"x86_64": 310, "aarch64": 270}[platform.machine()]
        code = [(0x20, 0, 0, 0), (0x15, 0, 1, call), (0x06, 0, 0, 0x50001), (0x06, 0, 0, 0x7FFF0000)]
        rules = ctypes.create_string_buffer(b"".join(struct.pack("HBBI", *line) for line in code))
        program = ctypes.create_string_buffer(struct.pack("HxxxxxxQ", len(code), ctypes.addressof(rules)))
        libc = ctypes.CDLL(None)
        if libc.prctl(38, 1, 0, 0, 0) or libc.prctl(22, 2, program, 0, 0): sys.exit("no filter")
        os.execvp(sys.argv[1], sys.argv[1:])
        """,
    ]

    @Test("Code that was changed in the file after sealing is found, and a changed resource")
    func changedFile() throws {
        let folder = try TemporaryFolder()
        try Data("bundled".utf8).write(to: URL(filePath: folder.path + "/texts.json"))
        let path = try Workshop.sealedChild(in: folder, with: ["texts.json"])
        #expect(try GuardedChild("report", "none", path: path).rules.isEmpty)
        try folder.overwrite("texts.json", with: Array("changed".utf8))
        #expect(try GuardedChild("report", "none", path: path).rules == ["resources.file"])
        var program = try folder.bytes(of: "GuardChild")
        // The name of the interpreter lies in a segment without code in some layouts; the note of the tool chain's build in
        // one with code. The function that is never called is surely code.
        let place = try #require(try Self.offset(ofFunction: "guard_child_target", in: path))
        program[place] ^= 0xFF
        try folder.overwrite("GuardChild", with: program)
        #expect(try GuardedChild("report", "none", path: path).rules == ["checksum.seal", "resources.file"])
    }

    @Test(
        "G-4: one octet that was changed in what is loaded of a sealed file ends the process before an operation, wherever it is"
    )
    func changedOctets() throws {
        let folder = try TemporaryFolder()
        let path = try Workshop.sealedChild(in: folder)
        #expect(try GuardedChild("sealed", "none", path: path).lines.last == "alive")
        let program = try folder.bytes(of: "GuardChild")
        let segments = try Self.loadedSegments(of: program)
        #expect(segments.count >= 2)
        for number in 0..<SlowTests.size("SIGNET_GUARD_PLACES", sample: 8, whole: 50) {
            let place = try #require(segments[number % segments.count].randomElement())
            var changed = program
            changed[place] ^= 0x10
            try folder.overwrite("GuardChild", with: changed)
            let child = try GuardedChild("sealed", "none", path: path)
            #expect(!child.lines.contains("alive"), "offset \(place)")
        }
    }

    @Test("A seal that cannot be read any more ends the process as one of another program does")
    func damagedSeal() throws {
        let folder = try TemporaryFolder()
        let path = try Workshop.sealedChild(in: folder)
        var program = Data(try folder.bytes(of: "GuardChild"))
        let version = Data("Signet\0\0".utf8) + [1, 0, 0, 0]
        let place = try #require(program.range(of: version, options: .backwards))
        program[place.upperBound - 4] = 2
        try folder.overwrite("GuardChild", with: [UInt8](program))
        #expect(try GuardedChild("sealed", "none", path: path).signal == SIGKILL)
        #expect(try GuardedChild("report", "none", path: path).rules == ["checksum.layout"])
    }

    /// Places in the file of a program from which something is loaded (ELF-64 Object File Format 1.5, 6).
    private static func loadedSegments(of program: [UInt8]) throws -> [Range<Int>] {
        func number(at place: Int, _ count: Int) -> Int {
            program[place..<place + count].reversed().reduce(0) { $0 << 8 | Int($1) }
        }
        let (start, count) = (number(at: 32, 8), number(at: 56, 2))
        return (0..<count).map { start + $0 * 56 }.filter { number(at: $0, 4) == 1 }.map { row in
            let offset = number(at: row + 8, 8)
            return offset..<offset + number(at: row + 32, 8)
        }
    }

    /// Offset of a function in the file of a program, by its symbol.
    private static func offset(ofFunction name: String, in path: String) throws -> Int? {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["gdb", "-batch", "-nx", "-ex", "info address \(name)", "-ex", "info files", path]
        process.standardOutput = output
        try ThreadSignals.unblocked { try process.run() }
        let text = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        process.waitUntilExit()
        // In a program of the linkers that are used here, addresses of code and offsets in the file are the same.
        guard let match = text.firstMatch(of: /is at (?:address )?0x([0-9a-f]+)/) else { return nil }
        return Int(match.1, radix: 16)
    }
}

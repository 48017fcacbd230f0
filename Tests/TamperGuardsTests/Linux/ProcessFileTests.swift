import Foundation
import Locking
import TestSupport
import Testing

@testable import TamperGuards

@Suite("What guards read is bounded, and what they cannot read is no finding")
struct ProcessFileTests {
    private let folder: TemporaryFolder
    private let files: ProcessFiles

    init() throws {
        folder = try TemporaryFolder()
        files = ProcessFiles(root: folder.path)
    }

    /// Puts a text where a guard looks for a file of the system.
    private func put(_ text: String, at path: String) throws {
        let url = URL(filePath: folder.path + path)
        try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: url)
    }

    @Test("Without /proc every guard finds nothing, and says what it could not examine")
    func missing() {
        #expect(DebuggerGuard(files: files).inspect(.whole).findings.isEmpty)
        #expect(!DebuggerGuard(files: files).inspect(.operation).unknown.isEmpty)
        #expect(!RootGuard(files: files).inspect(.whole).unknown.isEmpty)
        #expect(!HookGuard(files: files).inspect(.whole).unknown.isEmpty)
        #expect(!InstrumentationGuard(files: files).inspect(.whole).unknown.isEmpty)
        #expect(MachineGuard(files: files).inspect(.whole).findings.isEmpty)
        #expect(ChecksumGuard(nil, seal: nil).inspect(.whole).unknown.count == 1)
    }

    @Test("A tracer and a parent that controls others are found, and no other")
    func tracers() throws {
        try put("Name:\tapp\nPPid:\t7\nTracerPid:\t0\n", at: "/proc/self/status")
        try put("bash\n", at: "/proc/7/comm")
        #expect(DebuggerGuard(files: files).inspect(.round) == .clear)
        try put("gdb\n", at: "/proc/7/comm")
        #expect(DebuggerGuard(files: files).inspect(.round).findings.map(\.name) == ["debugger.parent"])
        #expect(DebuggerGuard(files: files).inspect(.operation) == .clear)
        try put("Name:\tapp\nPPid:\t7\nTracerPid:\t9\n", at: "/proc/self/status")
        let names = DebuggerGuard(files: files).inspect(.round).findings.map(\.name)
        #expect(names == ["debugger.tracer", "debugger.parent"])
    }

    @Test(
        "A status of another form is unknown, not a finding",
        arguments: [
            "", "TracerPid:", "TracerPid:\t\n", "TracerPid:\t99999999999999999999999\n", "TracerPid:\tx\n", "TracerPid",
            "\u{0}\n\n\n:",
        ])
    func malformedStatus(text: String) throws {
        try put(text, at: "/proc/self/status")
        let result = DebuggerGuard(files: files).inspect(.whole)
        #expect(result.findings.isEmpty && !result.unknown.isEmpty)
        // Behind the bytes that are read there may be anything.
        try put(String(repeating: "a", count: 10_000) + "\nTracerPid:\t5\n", at: "/proc/self/status")
        #expect(DebuggerGuard(files: files).inspect(.whole).findings.isEmpty)
    }

    @Test("Mappings are read, and lines of another form are skipped")
    func mappings() {
        let map = MemoryMap(
            """
            5606f93ca000-5606f93cc000 r-xp 00002000 fe:00 253911                     /usr/bin/a program
            7ffd1000-7ffd3000 rwxp 00000000 00:00 0
            7ffd4000-7ffd5000 r-xp 00000000 00:00 0          [vdso]
            broken
            2-1 r-xp 0 0 0 /later/than/its/end
            ffffffffffffffffff-2 r-xp 0 0 0 /too/long
            1-2
            -2 r-xp 0 0 0 x
            """)
        #expect(map.mappings.map(\.name) == ["/usr/bin/a program", "", "[vdso]"])
        #expect(map.mappings.map(\.isWritable) == [false, true, false])
        #expect(map.mappings.filter(\.isExecutable).count == 3)
        #expect(map.mappings[0].range == 0x5606_f93c_a000..<0x5606_f93c_c000)
    }

    @Test(
        "Code of loaded libraries, of system folders and of the kernel is expected wherever it is mapped; other is not")
    func strangers() {
        var map = LinkMap()
        map.objects = [LinkMap.Object(path: "/opt/app/lib.so", bias: 0x1000)]
        map.objects[0].segments = [
            LinkMap.Segment(range: 0x1000..<0x2000, offset: 0, fileByteCount: 0x1000, isExecutable: true)
        ]
        let memory = MemoryMap(
            """
            1000-2000 r-xp 0 00:00 7 /opt/app/lib.so
            3000-4000 r-xp 0 00:00 7 /opt/app/lib.so
            4000-5000 r-xp 0 00:00 8 /usr/lib/libffi.so.8
            5000-6000 r-xp 0 00:00 0 [vdso]
            6000-7000 r--p 0 00:00 9 /tmp/data
            7000-8000 r-xp 0 00:00 9 /tmp/code.so
            8000-9000 r-xp 0 00:00 9 /memfd:libffi (deleted)
            9000-a000 rwxp 0 00:00 0
            """)
        let strangers = HookGuard.strangers(in: memory, besides: map)
        #expect(strangers.map(\.name) == ["/tmp/code.so", "/memfd:libffi (deleted)", ""])
        #expect(strangers.map(\.isFile) == [true, false, false])
        #expect(memory.file(at: 0x1800) == "/opt/app/lib.so" && memory.file(at: 0x8800) == nil)
    }

    @Test("Code of a nameless file weighs as much as code of none, and where code is made at run time nothing")
    func namelessCode() throws {
        try put("1000-2000 r-xp 0 00:00 7 /memfd:code (deleted)\n", at: "/proc/self/maps")
        func findings(_ allowances: GuardPolicy.Allowances) -> [GuardFinding] {
            HookGuard(files: files, allowing: allowances) { _ in nil }.inspect(.round).findings
                .filter { ["hook.generated-code", "hook.unnamed-object"].contains($0.name) }
        }
        #expect(findings(.init()).map(\.name) == ["hook.generated-code"])
        #expect(findings(.init()).map(\.weight) == [50])
        var allowances = GuardPolicy.Allowances()
        allowances.generatesCode = true
        #expect(findings(allowances).isEmpty)
    }

    @Test("A list of mappings that goes on behind what is read has no last line")
    func cutMappings() {
        let line = Array("1000-2000 r-xp 0 00:00 7 /opt/plugin\n".utf8)
        let count = ProcessFiles.byteLimit / line.count
        let cut = (0...count).flatMap { _ in line }.prefix(ProcessFiles.byteLimit)
        let mappings = MemoryMap(Array(cut)).mappings
        #expect(String(decoding: cut.suffix(8), as: UTF8.self) == "/opt/plu")
        #expect(mappings.count == count && mappings.allSatisfy { $0.name == "/opt/plugin" })
    }

    @Test("A file that never ends is read up to its limit")
    func endless() {
        let system = ProcessFiles()
        #expect(system.bytes(at: "/dev/zero", limit: 100_000)?.count == 100_000)
        #expect(system.bytes(at: "/dev/null")?.isEmpty == true)
        #expect(system.bytes(at: "/no/such/file") == nil && system.names(in: "/no/such/folder") == nil)
    }

    @Test("Preloading by the file of the system and by the environment is found; what is allowed is not")
    func preloads() throws {
        try put("/opt/hook.so /opt/other.so\n", at: "/etc/ld.so.preload")
        let environment: @Sendable (String) -> String? = { $0 == "LD_AUDIT" ? "/opt/audit.so:" : nil }
        func names(_ allowed: [String]) -> [String] {
            var allowances = GuardPolicy.Allowances()
            allowances.objects = allowed
            return HookGuard(files: files, allowing: allowances, environment: environment).inspect(.round).findings
                .map(\.name).filter { $0.hasPrefix("hook.preload") }
        }
        #expect(names([]) == ["hook.preload-variable", "hook.preload-file", "hook.preload-file"])
        #expect(names(["/opt/hook.so", "/opt/audit.so"]) == ["hook.preload-file"])
        #expect(names(["/opt/"]).isEmpty)
    }

    @Test("A library that is preloaded by its name alone is allowed by the path at which the linker has found it")
    func preloadedByName() throws {
        let map = try #require(LinkMap.current())
        let library = try #require(map.objects.first { $0.name.hasPrefix("libc.so") })
        let name = String(library.name)
        let environment: @Sendable (String) -> String? = { $0 == "LD_PRELOAD" ? name : nil }
        func names(_ allowed: [String]) -> [String] {
            var allowances = GuardPolicy.Allowances()
            allowances.objects = allowed
            return HookGuard(files: files, allowing: allowances, environment: environment).inspect(.round).findings
                .map(\.name).filter { $0.hasPrefix("hook.preload") }
        }
        #expect(names([]) == ["hook.preload-variable", "hook.preloaded-object"])
        #expect(names([library.path]).isEmpty)
        #expect(names(["/elsewhere/" + name]) == ["hook.preload-variable", "hook.preloaded-object"])
    }

    @Test("The machine is told by processor, firmware and marks of containers, each with its evidence")
    func machines() throws {
        #expect(MachineGuard(files: files).inspect(.whole) == .clear)
        try put("processor\t: 0\nflags\t\t: fpu hypervisor lm\n", at: "/proc/cpuinfo")
        try put("QEMU\n", at: "/sys/class/dmi/id/sys_vendor")
        try put("", at: "/.dockerenv")
        let names = MachineGuard(files: files).inspect(.whole).findings.map(\.name)
        #expect(names == ["machine.hypervisor", "machine.firmware", "machine.container"])
    }

    @Test("Root is told by the effective user")
    func root() throws {
        try put("Uid:\t1000\t0\t0\t0\n", at: "/proc/self/status")
        #expect(RootGuard(files: files).inspect(.whole).findings.map(\.name) == ["root.user"])
        try put("Uid:\t1000\t1000\t1000\t1000\n", at: "/proc/self/status")
        #expect(RootGuard(files: files).inspect(.whole) == .clear)
    }

    @Test("Threads of instrumentation are found by name; GLib's only where GLib is not loaded")
    func threads() throws {
        try put("worker\n", at: "/proc/self/task/1/comm")
        try put("", at: "/proc/self/maps")
        #expect(
            InstrumentationGuard(files: files).inspect(.round).findings.allSatisfy {
                $0.name != "instrumentation.thread"
            })
        try put("gum-js-loop\n", at: "/proc/self/task/2/comm")
        let findings = InstrumentationGuard(files: files).inspect(.round).findings
        #expect(findings.contains { $0.name == "instrumentation.thread" && $0.evidence.contains("gum-js-loop") })
    }

    @Test("A mapped agent is found by its name")
    func agents() throws {
        try put("1000-2000 r-xp 0 00:00 7 /tmp/frida-agent-64.so\n", at: "/proc/self/maps")
        let findings = InstrumentationGuard(files: files).inspect(.round).findings
        #expect(findings.contains { $0.name == "instrumentation.agent" })
        try put("1000-2000 r--p 0 00:00 7 /usr/share/fonts/Friday.ttf\n", at: "/proc/self/maps")
        let others = InstrumentationGuard(files: files).inspect(.round).findings
        #expect(!others.contains { $0.name == "instrumentation.agent" })
    }

    @Test("A pipe in the place of a bundled file is another file, and keeps no one waiting", .timeLimit(.minutes(1)))
    func pipe() {
        mkfifo(folder.path + "/texts.json", 0o600)
        let resource = CodeSeal.Resource(path: "texts.json", digest: [UInt8](repeating: 1, count: 32))
        let guards = ResourceGuard(folder: folder.path + "/", resources: [resource])
        #expect(guards.inspect(.round).findings.map(\.name) == ["resources.file"])
    }

    @Test("A listening socket is told from others, and lines of another form are skipped")
    func sockets() throws {
        try put(
            """
              sl  local_address rem_address   st tx_queue
               0: 0100007F:69A2 00000000:0000 0A 00000000:00000000
               1: 0100007F:69A3 0100007F:1234 01 00000000:00000000
            0A
            """, at: "/proc/self/net/tcp")
        let table = SocketTable(files)
        #expect(table.isListening(27_042) && !table.isListening(27_043))
        #expect(!SocketTable(ProcessFiles(root: "/no/such")).isListening(27_042))
    }
}

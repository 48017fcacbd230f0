#if os(Linux)
    /// Guard against dynamic instrumentation: the ports of its servers, names of threads, agents in memory, and threads
    /// that wait in code which no loaded object has.
    ///
    /// Names and the usual port are easily changed. Own listening sockets on other ports, code outside every object and
    /// threads inside such code do not depend on names.
    struct InstrumentationGuard: ProcessMemoryGuard {
        /// Ports on which Frida's servers and agents listen unless told otherwise.
        static let ports: [UInt16] = [27_042, 27_043]
        /// Names that the threads of its agents have.
        static let threadNames: Set = ["gum-js-loop", "pool-frida", "frida-agent-em", "linjector"]
        /// Threads of GLib's event loop, which such agents bring with them.
        static let libraryThreads: Set = ["gmain", "gdbus", "pool-spawner"]
        /// Parts of the names of mapped agents.
        static let agentNames = ["frida", "gum-js", "libgadget", "linjector"].map { Array($0.utf8) }
        private static let threadLimit = 256

        let kind = GuardFinding.Kind.instrumentation
        var files = ProcessFiles()
        var allowances = GuardPolicy.Allowances()

        func inspect(_ extent: TamperGuardExtent) -> TamperGuardResult {
            var memory = ProcessMemory(files: files)
            return inspect(extent, in: &memory)
        }

        func inspect(_ extent: TamperGuardExtent, in memory: inout ProcessMemory) -> TamperGuardResult {
            guard extent != .operation else { return .clear }
            var result = TamperGuardResult(findings: listeners())
            guard let map = memory.objects, let mappings = memory.mappings else {
                result.unknown.append("the mappings of this process")
                return result + names(of: nil)
            }
            result.findings += agents(in: mappings)
            return result + names(of: map) + places(in: &memory)
        }

        // MARK: - Ports

        private func listeners() -> [GuardFinding] {
            let own = ListeningPorts.own().subtracting(allowances.ports)
            var findings = own.sorted().map { port in
                Self.ports.contains(port)
                    ? GuardFinding(
                        kind, "instrumentation.own-port", weight: 100,
                        evidence: "this process listens on port \(port), the usual one of Frida")
                    : GuardFinding(
                        kind, "instrumentation.other-port", weight: 30, evidence: "this process listens on port \(port)"
                    )
            }
            for port in Self.ports where !own.contains(port) && !allowances.ports.contains(port) {
                guard ListeningPorts.isTaken(port) == true, SocketTable(files).isListening(port) else { continue }
                // Any program of the machine can do that: too little to end another one.
                findings.append(
                    GuardFinding(
                        kind, "instrumentation.machine-port", weight: 50,
                        evidence: "another process listens on port \(port), the usual one of Frida"))
            }
            return findings
        }

        // MARK: - Threads and agents

        private func names(of map: LinkMap?) -> TamperGuardResult {
            guard let threads = files.names(in: "/proc/self/task") else {
                return TamperGuardResult(unknown: ["the threads of this process"])
            }
            // A program that has GLib loaded as a library has its threads as well.
            let isLibraryLoaded = map?.objects.contains { SystemName($0.path).lastPart.hasPrefix("libglib-2") } ?? true
            let suspicious = Self.threadNames.union(isLibraryLoaded ? [] : Self.libraryThreads)
            let found = Set(
                threads.prefix(Self.threadLimit).compactMap { files.word(at: "/proc/self/task/\($0)/comm") }
            )
            .intersection(suspicious)
            return TamperGuardResult(
                findings: found.sorted().map {
                    GuardFinding(
                        kind, "instrumentation.thread", weight: 60, evidence: "a thread of this process is called \($0)"
                    )
                })
        }

        private func agents(in memory: MemoryMap) -> [GuardFinding] {
            // Of code only: data may be called anything, as a font may be Friday.
            let agents = memory.mappings.filter { mapping in
                guard mapping.isExecutable, let file = mapping.path.fromLastSlash else { return false }
                return Self.agentNames.contains { file.contains(word: $0) }
            }
            return Set(agents.map(\.name)).filter { !LoadedObjects.isAllowed($0, by: allowances) }.sorted().map {
                GuardFinding(kind, "instrumentation.agent", weight: 100, evidence: "\($0) is mapped into this process")
            }
        }

        /// Threads whose next instruction lies in code that no loaded object has, as far as the kernel tells.
        private func places(in memory: inout ProcessMemory) -> TamperGuardResult {
            guard !allowances.generatesCode, !memory.strangers.isEmpty else { return .clear }
            // The linker may have named a library since, in which a thread now is with good reason.
            memory.renew()
            let strangers = memory.strangers
            guard !strangers.isEmpty, let threads = files.names(in: "/proc/self/task") else { return .clear }
            let inside = threads.prefix(Self.threadLimit).filter { thread in
                guard let place = place(of: thread) else { return false }
                return strangers.contains { $0.range.contains(place) }
            }
            guard !inside.isEmpty else { return .clear }
            return TamperGuardResult(findings: [
                GuardFinding(
                    kind, "instrumentation.foreign-thread", weight: 100,
                    evidence: "\(inside.count) threads run code that no loaded object has")
            ])
        }

        /// Address of the next instruction of a thread that waits in the kernel (the last field of proc_pid_syscall(5)).
        private func place(of thread: String) -> UInt? {
            guard let line = files.word(at: "/proc/self/task/\(thread)/syscall"),
                let field = line.split(separator: " ").last, field.hasPrefix("0x")
            else { return nil }
            return UInt(field.dropFirst(2), radix: 16)
        }
    }

    /// TCP sockets of this network namespace (proc_net_tcp(5)).
    struct SocketTable {
        private let files: ProcessFiles

        init(_ files: ProcessFiles) { self.files = files }

        /// Whether a socket listens on a port; false where the table cannot be read.
        func isListening(_ port: UInt16) -> Bool {
            ["/proc/self/net/tcp", "/proc/self/net/tcp6"].contains { path in
                (files.text(at: path) ?? "").split(separator: "\n").contains { Self.listens($0, on: port) }
            }
        }

        /// A line: number, local address and port, remote ones, state (0A: listens), and more.
        private static func listens(_ line: Substring, on port: UInt16) -> Bool {
            let fields = line.split(separator: " ", maxSplits: 4, omittingEmptySubsequences: true)
            guard fields.count > 3, fields[3] == "0A", let text = fields[1].split(separator: ":").last else {
                return false
            }
            return UInt16(text, radix: 16) == port
        }
    }
#endif

#if os(Linux)
    /// Guard against debuggers and tracers: who controls this process, and who has started it (proc_pid_status(5)).
    ///
    /// A tracer outside the process's PID namespace, such as one on the host of a container, shows as none.
    struct DebuggerGuard: TamperGuard {
        /// Programs that start others to control them; what a command is called says little, so it weighs little.
        static let tracers: Set = [
            "gdb", "lldb", "gdbserver", "lldb-server", "strace", "ltrace", "rr", "radare2", "r2", "frida",
            "frida-trace",
        ]

        let kind = GuardFinding.Kind.debugger
        var files = ProcessFiles()

        func inspect(_ extent: TamperGuardExtent) -> TamperGuardResult {
            guard let status = files.bytes(at: "/proc/self/status", limit: 4_096),
                let tracer = ProcessFiles.number("TracerPid:", in: status)
            else { return TamperGuardResult(unknown: ["/proc/self/status says nothing of a tracer"]) }
            var findings: [GuardFinding] = []
            if tracer > 0 {
                let name = files.word(at: "/proc/\(tracer)/comm").map { " (\($0))" } ?? ""
                findings.append(
                    GuardFinding(
                        kind, "debugger.tracer", weight: 100, evidence: "process \(tracer)\(name) traces this one"))
            }
            guard extent != .operation else { return TamperGuardResult(findings: findings) }
            return TamperGuardResult(findings: findings + parent(in: status))
        }

        private func parent(in status: [UInt8]) -> [GuardFinding] {
            guard let parent = ProcessFiles.number("PPid:", in: status), parent > 0,
                let name = files.word(at: "/proc/\(parent)/comm"), Self.tracers.contains(name)
            else { return [] }
            return [
                GuardFinding(
                    kind, "debugger.parent", weight: 40, evidence: "\(name) (process \(parent)) has started this one")
            ]
        }
    }
#endif

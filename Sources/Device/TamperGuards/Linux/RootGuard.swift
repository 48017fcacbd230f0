#if os(Linux)
    /// Guard that finds the rights of the administrator and a system that is open to all its users; report only by
    /// default.
    struct RootGuard: TamperGuard {
        let kind = GuardFinding.Kind.root
        var files = ProcessFiles()

        func inspect(_ extent: TamperGuardExtent) -> TamperGuardResult {
            guard extent != .operation else { return .clear }
            guard let status = files.bytes(at: "/proc/self/status", limit: 4_096),
                let effective = ProcessFiles.number("Uid:", at: 1, in: status)
            else { return TamperGuardResult(unknown: ["/proc/self/status says nothing of the user"]) }
            if effective == 0 {
                return TamperGuardResult(findings: [
                    GuardFinding(kind, "root.user", weight: 100, evidence: "the process has the rights of root")
                ])
            }
            let open = ["/usr/bin", "/usr/lib", "/etc"].filter(files.isWritable)
            return TamperGuardResult(
                findings: open.prefix(1).map {
                    GuardFinding(
                        kind, "root.open-system", weight: 100, evidence: "user \(effective) may write to \($0)")
                })
        }
    }
#endif

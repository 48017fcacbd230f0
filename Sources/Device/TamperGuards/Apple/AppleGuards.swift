#if canImport(Darwin)
    import Darwin

    /// Guards of Apple platforms.
    ///
    /// They have not run on a device.
    enum AppleGuards {
        /// The guards, that against debuggers first.
        static func all(allowing allowances: GuardPolicy.Allowances) -> [any TamperGuard] {
            [
                AppleDebuggerGuard(), AppleImageGuard(allowances: allowances),
                AppleInstrumentationGuard(allowances: allowances), AppleMachineGuard(), AppleRootGuard(),
            ]
        }
    }

    /// Guard against debuggers on Apple platforms, by the kernel's flags of the process (sysctl(3), `P_TRACED`).
    struct AppleDebuggerGuard: TamperGuard {
        let kind = GuardFinding.Kind.debugger

        func inspect(_ extent: TamperGuardExtent) -> TamperGuardResult {
            var process = kinfo_proc()
            var size = MemoryLayout<kinfo_proc>.stride
            var name = [CTL_KERN, KERN_PROC, KERN_PROC_PID, getpid()]
            guard sysctl(&name, UInt32(name.count), &process, &size, nil, 0) == 0 else {
                return TamperGuardResult(unknown: ["the kernel does not tell about this process"])
            }
            guard process.kp_proc.p_flag & P_TRACED != 0 else { return .clear }
            return TamperGuardResult(findings: [
                GuardFinding(kind, "debugger.tracer", weight: 100, evidence: "this process is traced (P_TRACED)")
            ])
        }
    }

    /// Guard against injected libraries on Apple platforms: `DYLD_INSERT_LIBRARIES`, and the images of known tools.
    struct AppleImageGuard: TamperGuard {
        static let names = [
            "substrate", "substitute", "libhooker", "ellekit", "sslkillswitch", "cycript", "tweakinject",
        ]

        let kind = GuardFinding.Kind.hook
        var allowances = GuardPolicy.Allowances()

        func inspect(_ extent: TamperGuardExtent) -> TamperGuardResult {
            guard extent != .operation else { return .clear }
            var findings = AppleImages.matching(Self.names, allowances).map {
                GuardFinding(kind, "hook.foreign-object", weight: 100, evidence: "\($0) is loaded")
            }
            if getenv("DYLD_INSERT_LIBRARIES") != nil {
                findings.append(
                    GuardFinding(kind, "hook.preload-variable", weight: 50, evidence: "DYLD_INSERT_LIBRARIES is set"))
            }
            return TamperGuardResult(findings: findings)
        }
    }

    /// Guard against dynamic instrumentation on Apple platforms: images of Frida, and its port.
    struct AppleInstrumentationGuard: TamperGuard {
        let kind = GuardFinding.Kind.instrumentation
        var allowances = GuardPolicy.Allowances()

        func inspect(_ extent: TamperGuardExtent) -> TamperGuardResult {
            guard extent != .operation else { return .clear }
            var findings = AppleImages.matching(["frida", "cynject"], allowances).map {
                GuardFinding(kind, "instrumentation.agent", weight: 100, evidence: "\($0) is loaded")
            }
            let port: UInt16 = 27_042
            if ListeningPorts.own().subtracting(allowances.ports).contains(port) {
                findings.append(
                    GuardFinding(
                        kind, "instrumentation.own-port", weight: 100, evidence: "this process listens on port \(port)")
                )
            }
            return TamperGuardResult(findings: findings)
        }
    }

    /// Guard that tells the simulator.
    struct AppleMachineGuard: TamperGuard {
        let kind = GuardFinding.Kind.virtualMachine

        func inspect(_ extent: TamperGuardExtent) -> TamperGuardResult {
            #if targetEnvironment(simulator)
                return TamperGuardResult(findings: [
                    GuardFinding(kind, "machine.simulator", weight: 100, evidence: "this is the simulator")
                ])
            #else
                return .clear
            #endif
        }
    }

    /// Guard that tells a jailbreak by files that it leaves.
    struct AppleRootGuard: TamperGuard {
        static let paths = ["/var/jb", "/Applications/Cydia.app", "/Applications/Sileo.app", "/usr/sbin/frida-server"]

        let kind = GuardFinding.Kind.root

        func inspect(_ extent: TamperGuardExtent) -> TamperGuardResult {
            guard extent != .operation else { return .clear }
            return TamperGuardResult(
                findings: Self.paths.filter { access($0, F_OK) == 0 }.map {
                    GuardFinding(kind, "root.open-system", weight: 100, evidence: "\($0) is there")
                })
        }
    }

    /// Images that the dynamic linker has loaded.
    private enum AppleImages {
        static func matching(_ words: [String], _ allowances: GuardPolicy.Allowances) -> [String] {
            (0..<_dyld_image_count()).compactMap { _dyld_get_image_name($0).map { String(cString: $0) } }
                .filter { path in
                    let name = path.split(separator: "/").last?.lowercased() ?? ""
                    return words.contains { name.contains($0) } && !allowances.objects.contains(path)
                }
        }
    }
#endif

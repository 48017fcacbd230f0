#if os(Linux)
    import Locking

    /// Guard that tells virtual machines, containers and emulators.
    ///
    /// Most servers and many desks are one, so on Linux the default policy reports it only.
    final class MachineGuard: TamperGuard {
        /// Makers in the tables of the firmware (DMI) that stand for virtual machines.
        static let makers = [
            "qemu", "vmware", "innotek", "virtualbox", "xen", "parallels", "bochs", "amazon ec2", "google compute",
            "microsoft corporation virtual", "kvm", "bhyve", "openstack",
        ]

        let kind = GuardFinding.Kind.virtualMachine
        private let files: ProcessFiles
        /// The machine does not change while a process lives, or so seldom that nothing depends on it.
        private let seen = Lock<TamperGuardResult?>(nil)

        init(files: ProcessFiles = ProcessFiles()) { self.files = files }

        func inspect(_ extent: TamperGuardExtent) -> TamperGuardResult {
            guard extent != .operation else { return .clear }
            if let result = seen.withLock({ $0 }) { return result }
            let result = TamperGuardResult(findings: processor() + firmware() + containers())
            seen.withLock { $0 = result }
            return result
        }

        /// The flag that a hypervisor sets for its guests.
        private func processor() -> [GuardFinding] {
            let lines = (files.text(at: "/proc/cpuinfo", limit: 8_192) ?? "").split(separator: "\n")
            guard let flags = lines.first(where: { $0.hasPrefix("flags") }),
                flags.split(whereSeparator: \.isWhitespace).contains("hypervisor")
            else { return [] }
            return [
                GuardFinding(
                    kind, "machine.hypervisor", weight: 100,
                    evidence: "the processor names a hypervisor (/proc/cpuinfo)")
            ]
        }

        private func firmware() -> [GuardFinding] {
            let paths = ["sys_vendor", "product_name", "bios_vendor"].map { "/sys/class/dmi/id/\($0)" }
            let found = paths.compactMap { path in
                (files.text(at: path, limit: 256)?.split(whereSeparator: \.isNewline).first).map { (path, String($0)) }
            }.first { _, maker in Self.makers.contains { maker.lowercased().contains($0) } }
            return found.map { path, maker in
                [GuardFinding(kind, "machine.firmware", weight: 100, evidence: "\(path) says \(maker)")]
            } ?? []
        }

        private func containers() -> [GuardFinding] {
            let marks = ["/.dockerenv", "/run/.containerenv", "/run/systemd/container"]
            return marks.filter(files.isPresent).prefix(1).map {
                GuardFinding(kind, "machine.container", weight: 100, evidence: "\($0) is there, as in a container")
            }
        }
    }
#endif

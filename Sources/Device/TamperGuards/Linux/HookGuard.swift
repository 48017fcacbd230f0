#if os(Linux)
    import Locking

    #if canImport(Glibc)
        import Glibc
    #elseif canImport(Musl)
        import Musl
    #endif

    /// Guard against code of others between the program and its libraries.
    ///
    /// Expected are the program, the libraries that it and they name, the libraries in the system's folders, which the
    /// administrator owns, and what the application allows. Preloaded is what the linker was told to load before all of
    /// them, wherever it lies.
    final class HookGuard: ProcessMemoryGuard {
        /// Folders whose libraries may be loaded at run time (modules of PAM, NSS, the TPM).
        static let systemFolders = [
            "/lib/", "/lib64/", "/usr/lib/", "/usr/lib64/", "/usr/local/lib/", "/nix/store/", "/gnu/store/",
        ]

        let kind = GuardFinding.Kind.hook
        private let files: ProcessFiles
        private let allowances: GuardPolicy.Allowances
        private let environment: @Sendable (String) -> String?
        /// Number of the linker's changes at the last round, when everything was looked at.
        private let seenChanges = Lock<UInt64?>(nil)

        init(
            files: ProcessFiles = ProcessFiles(), allowing allowances: GuardPolicy.Allowances = .init(),
            environment: @escaping @Sendable (String) -> String? = HookGuard.variable
        ) {
            self.files = files
            self.allowances = allowances
            self.environment = environment
        }

        func inspect(_ extent: TamperGuardExtent) -> TamperGuardResult {
            var memory = ProcessMemory(files: files)
            return inspect(extent, in: &memory)
        }

        func inspect(_ extent: TamperGuardExtent, in memory: inout ProcessMemory) -> TamperGuardResult {
            guard let map = memory.objects else {
                return TamperGuardResult(unknown: ["the dynamic linker does not say what is loaded"])
            }
            let isSeen = seenChanges.withLock { $0 == map.changes && map.changes > 0 }
            if extent == .operation, isSeen { return .clear }
            seenChanges.withLock { $0 = map.changes }
            let orders = preloadOrders().filter { !isAllowed($0.path, in: map) }
            let objects = LoadedObjects(map, orders: orders.map(\.path), allowances: allowances)
            return TamperGuardResult(
                findings: orders.map(\.finding) + objects.findings + redirected(map), unknown: objects.unknown)
                + PointerTable(map, distrusted: objects.distrusted, isWhole: extent == .whole).result
                + mappings(&memory)
        }

        // MARK: - Orders to the linker

        /// Paths that the linker was told to load first, by the environment and the system's file (ld.so(8)).
        private func preloadOrders() -> [(path: String, finding: GuardFinding)] {
            var orders: [(String, GuardFinding)] = []
            for name in ["LD_PRELOAD", "LD_AUDIT"] {
                for path in Self.paths(in: environment(name) ?? "") where !isAllowed(path) {
                    orders.append(
                        (
                            path,
                            GuardFinding(
                                kind, "hook.preload-variable", weight: 50, evidence: "\(name) names \(path)")
                        ))
                }
            }
            let file = "/etc/ld.so.preload"
            for path in Self.paths(in: files.text(at: file, limit: 16_384) ?? "") where !isAllowed(path) {
                orders.append(
                    (path, GuardFinding(kind, "hook.preload-file", weight: 50, evidence: "\(file) names \(path)")))
            }
            return orders
        }

        private func isAllowed(_ path: String) -> Bool {
            LoadedObjects.isAllowed(path, by: allowances)
        }

        /// Whether an order names an allowed object by its name alone, which the linker has looked for in its folders.
        private func isAllowed(_ order: String, in map: LinkMap) -> Bool {
            !order.contains("/") && map.objects.contains { $0.name == order && isAllowed($0.path) }
        }

        /// Libraries that the environment has the linker look for elsewhere than the program does.
        private func redirected(_ map: LinkMap) -> [GuardFinding] {
            let folders = Self.paths(in: environment("LD_LIBRARY_PATH") ?? "").map { $0.hasSuffix("/") ? $0 : $0 + "/" }
            let object = map.objects.dropFirst().first { object in
                folders.contains { object.path.hasPrefix($0) } && !isAllowed(object.path)
                    && !Self.systemFolders.contains { object.path.hasPrefix($0) }
            }
            return object.map {
                [
                    GuardFinding(
                        kind, "hook.library-path", weight: 50, evidence: "LD_LIBRARY_PATH leads to \($0.path)")
                ]
            } ?? []
        }

        /// Paths in a list that blanks, colons or lines part.
        static func paths(in list: String) -> [String] {
            list.split { $0.isWhitespace || $0 == ":" }.map(String.init)
        }

        static let variable: @Sendable (String) -> String? = { name in
            getenv(name).map { String(cString: $0) }
        }

        // MARK: - Mappings

        /// Executable memory that belongs to no loaded object.
        private func mappings(_ memory: inout ProcessMemory) -> TamperGuardResult {
            guard memory.mappings != nil else {
                return TamperGuardResult(unknown: ["/proc/self/maps cannot be read"])
            }
            // What is no finding is not waited for.
            var found = memory.strangers.filter { finding(for: $0) != nil }
            // A library that another thread is loading is mapped before the linker names it.
            for _ in 0..<5 where !found.isEmpty {
                usleep(20_000)
                memory.renew()
                guard memory.objects != nil, memory.mappings != nil else { break }
                found = found.filter(memory.strangers.contains)
            }
            return TamperGuardResult(findings: found.compactMap { finding(for: $0) })
        }

        /// Executable mappings that no object of the linker covers, without the kernel's.
        ///
        /// Files of loaded objects and of the system's folders are expected wherever they are mapped: libraries map
        /// code of their file a second time for callbacks (libffi), and a library that another thread is loading is
        /// mapped before the linker names it.
        static func strangers(in memory: MemoryMap, besides map: LinkMap) -> [MemoryMap.Mapping] {
            let segments = AddressRanges(map.objects.flatMap { $0.segments.map(\.range) })
            let mapped = memory.mappings.filter { $0.isExecutable && !$0.isOfKernel }
            let others = mapped.filter { !segments.overlaps($0.range) }
            guard !others.isEmpty else { return [] }
            let loaded = Set(mapped.filter { $0.isFile && segments.overlaps($0.range) }.map(\.path))
            return others.filter { mapping in
                !mapping.isFile
                    || !loaded.contains(mapping.path) && !systemFolders.contains { mapping.path.hasPrefix($0) }
            }
        }

        private func finding(for mapping: MemoryMap.Mapping) -> GuardFinding? {
            if mapping.isFile {
                guard !isAllowed(mapping.name) else { return nil }
                return GuardFinding(
                    kind, "hook.unnamed-object", weight: 100,
                    evidence: "\(mapping.name) is mapped as code, and the linker does not name it")
            }
            guard !allowances.generatesCode else { return nil }
            let isBoth = mapping.isWritable ? " that can be written" : ""
            return GuardFinding(
                kind, "hook.generated-code", weight: 50,
                evidence: "\(mapping.range.count) bytes of code\(isBoth) that come from no file \(mapping.name)")
        }
    }
#endif

/// Guard that looks at what is mapped into the process, and can share a look with others.
protocol ProcessMemoryGuard: TamperGuard {
    func inspect(_ extent: TamperGuardExtent, in memory: inout ProcessMemory) -> TamperGuardResult
}

#if os(Linux)
    /// Memory of this process as one look sees it: the lists of the linker and of the kernel.
    ///
    /// Each list is read when it is first asked for, and once. The guards of a start pass it on to each other; it is gone with
    /// the start, so that no later look sees an old list.
    struct ProcessMemory {
        private let files: ProcessFiles

        private(set) lazy var objects = LinkMap.current()
        /// Mappings by the kernel, at least the mappings with code; nil where the kernel lists none.
        ///
        /// They are read behind the objects: an object that is loaded meanwhile is then mapped and not named, and seen again
        /// by the code that waits, instead of being named and nowhere.
        private(set) lazy var mappings = readMappings()
        /// Executable mappings that no object covers; empty where one of the lists is missing.
        private(set) lazy var strangers = findStrangers()

        init(files: ProcessFiles = ProcessFiles()) { self.files = files }

        /// Forgets what was seen, so that it is looked at anew.
        mutating func renew() { self = ProcessMemory(files: files) }

        private mutating func readMappings() -> MemoryMap? {
            _ = objects
            return MemoryMap.current(files)
        }

        private mutating func findStrangers() -> [MemoryMap.Mapping] {
            guard let objects, let mappings else { return [] }
            return HookGuard.strangers(in: mappings, besides: objects)
        }
    }
#else
    /// Memory of this process; nothing of it is shared on this platform.
    struct ProcessMemory {}
#endif

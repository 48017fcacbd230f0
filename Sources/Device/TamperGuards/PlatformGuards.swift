/// Guards of the platform that this was built for.
struct PlatformGuards {
    /// The guards; that against debuggers first, because it looks before every operation.
    let guards: [any TamperGuard]
    /// The guards that can share a look at the memory, by their places.
    ///
    /// To ask each for its type instead would make the runtime search the conformances of the process at the start.
    let memoryGuards: [Int: any ProcessMemoryGuard]
    /// Whether the program was sealed after linking.
    let isSealed: Bool

    #if os(Linux)
        /// Guards of Linux; the program is opened here once and for all.
        init(allowing allowances: GuardPolicy.Allowances) {
            let image = ProgramImage.running()
            let seal = image.flatMap { CodeSeal(of: $0) }
            isSealed = seal != nil
            let first: [any TamperGuard] = [DebuggerGuard(), ChecksumGuard(image, seal: seal)]
            let sharing: [any ProcessMemoryGuard] = [
                HookGuard(allowing: allowances), InstrumentationGuard(allowances: allowances),
            ]
            let last: [any TamperGuard] = [
                ResourceGuard(folder: image?.folder, resources: seal?.resources ?? []), MachineGuard(), RootGuard(),
            ]
            memoryGuards = Dictionary(zip(first.count..., sharing)) { one, _ in one }
            guards = first + sharing as [any TamperGuard] + last
        }
    #elseif canImport(Darwin)
        /// Guards of Apple platforms.
        ///
        /// The system's signature of the code takes the place of a seal.
        init(allowing allowances: GuardPolicy.Allowances) {
            isSealed = false
            memoryGuards = [:]
            guards = AppleGuards.all(allowing: allowances)
        }

        static func adapt(_ policy: inout GuardPolicy) {
            policy.enforcement = .always
            policy[.root] = .crash
            policy[.virtualMachine] = .throwError
            #if targetEnvironment(simulator)
                // Developers start it with a debugger; a process that ends without a word would tell them nothing.
                for kind in GuardFinding.Kind.allCases { policy[kind] = .throwError }
            #endif
        }
    #else
        init(allowing allowances: GuardPolicy.Allowances) {
            isSealed = false
            memoryGuards = [:]
            guards = []
        }
    #endif

    #if !canImport(Darwin)
        static func adapt(_ policy: inout GuardPolicy) {}
    #endif
}

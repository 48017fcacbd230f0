#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// What keeps the memory of a program from core files and from other programs of the same account.
///
/// The programs of this package ask for it in release builds, where no debugger and no test needs to look into them. The
/// SDK never does: whether an application may be looked into is for the application to say.
enum ProcessSecrecy {
    /// `PR_GET_DUMPABLE` and `PR_SET_DUMPABLE` of prctl(2).
    private static let getDumpable: Int32 = 3
    private static let setDumpable: Int32 = 4

    /// Denies both in release builds, and nothing in debug builds.
    static func enforceInRelease() {
        #if !DEBUG
            denyCoreFiles()
            isDumpable = false
        #endif
    }

    /// Lets the kernel write no core file of this process.
    static func denyCoreFiles() {
        var none = rlimit(rlim_cur: 0, rlim_max: 0)
        #if canImport(Glibc)
            setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
        #else
            setrlimit(RLIMIT_CORE, &none)
        #endif
    }

    /// Whether other programs of the account may read the memory of this process and attach to it; true where the
    /// system does not say.
    static var isDumpable: Bool {
        get { control(getDumpable, 0) != 0 }
        set { _ = control(setDumpable, newValue ? 1 : 0) }
    }

    /// The answer of prctl(2); -1 where there is none.
    private static func control(_ option: Int32, _ argument: UInt) -> Int32 {
        #if os(Linux)
            // It takes a variable number of arguments, which Swift does not call; it reads them as whole registers.
            typealias Call = @convention(c) (Int32, UInt, UInt, UInt, UInt) -> Int32
            guard let address = dlsym(nil, "prctl") else { return -1 }
            return unsafeBitCast(address, to: Call.self)(option, argument, 0, 0, 0)
        #else
            return -1
        #endif
    }
}

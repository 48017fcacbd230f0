import Foundation

/// Protection of a process's memory from core files and from other programs of the same account.
///
/// The programs of this package ask for it in release builds, which no debugger and no test needs to inspect. The SDK
/// never does, because whether an application may be inspected is for the application to decide.
package enum ProcessSecrecy {
    /// `PR_GET_DUMPABLE` and `PR_SET_DUMPABLE` of prctl(2).
    private static let getDumpable: Int32 = 3
    private static let setDumpable: Int32 = 4

    /// Denies both in release builds, and nothing in debug builds.
    package static func enforceInRelease() {
        #if !DEBUG
            denyCoreFiles()
            isDumpable = false
        #endif
    }

    static func denyCoreFiles() {
        var none = rlimit(rlim_cur: 0, rlim_max: 0)
        #if canImport(Glibc)
            setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
        #else
            setrlimit(RLIMIT_CORE, &none)
        #endif
    }

    /// Whether other programs of the account may read the memory of this process and attach to it; true where the
    /// system does not report it.
    static var isDumpable: Bool {
        get { control(getDumpable, 0) != 0 }
        set { _ = control(setDumpable, newValue ? 1 : 0) }
    }

    /// Result of prctl(2); -1 where the system does not have it.
    private static func control(_ option: Int32, _ argument: UInt) -> Int32 {
        // The function is variadic, which Swift cannot call; it reads its arguments as whole registers.
        typealias Call = @convention(c) (Int32, UInt, UInt, UInt, UInt) -> Int32
        guard let address = dlsym(nil, "prctl") else { return -1 }
        return unsafeBitCast(address, to: Call.self)(option, argument, 0, 0, 0)
    }
}

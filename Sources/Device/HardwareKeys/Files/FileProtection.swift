#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// The data protection class of the files that are made on Apple platforms.
///
/// It is stated for every file, so that the default of an application or of a profile does not weaken it. Reading a
/// file before the first unlock fails with `EPERM`.
package enum FileProtection {
    /// Closed from the start of the device to its first unlock, then open until it is switched off: what
    /// `NSFileProtectionCompleteUntilFirstUserAuthentication` stands for.
    ///
    /// A stricter class would keep an application that a push has woken behind a locked screen from its keys.
    package static let untilFirstUnlock: Int32 = 3

    /// Puts an open file into the class; `set` sets it and gives back 0 or the code of the error.
    ///
    /// A volume that knows no classes (a Mac's, the simulator's) is protected as a whole or not at all, and is taken.
    package static func state(setting set: (Int32) -> Int32) throws(FileSystemError) {
        switch set(untilFirstUnlock) {
        case 0, ENOTSUP, EINVAL, ENOTTY: return
        case let code: throw .failed(code: code)
        }
    }

    #if canImport(Darwin)
        /// Puts an open file of the operating system into the class.
        static func state(of descriptor: Int32) throws(FileSystemError) {
            try state { fcntl(descriptor, F_SETPROTECTIONCLASS, $0) == 0 ? 0 : errno }
        }
    #endif
}

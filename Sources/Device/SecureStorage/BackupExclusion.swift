#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// The attribute that keeps a directory out of backups on Apple platforms.
///
/// A storage that was restored to another device could only say that its key is gone.
enum BackupExclusion {
    /// The name of the attribute that `URLResourceValues.isExcludedFromBackup` sets.
    static let attribute = "com.apple.metadata:com_apple_backup_excludeItem"

    /// Its value: the text `com.apple.backupd` as a binary property list, as Foundation writes it.
    static let value: [UInt8] = {
        let text = Array("com.apple.backupd".utf8)
        // The object: an ASCII text whose length follows as a one-byte integer.
        let object = [0x5F, 0x10, UInt8(text.count)] + text
        let table = UInt8(header.count + object.count)
        // Where the one object begins; six zeros, sizes of offsets and references, and three numbers of 64 bits:
        // how many objects, which is the first, where the table of offsets lies.
        let trailer = [0, 0, 0, 0, 0, 0, 1, 1] + big(1) + big(0) + big(table)
        return header + object + [UInt8(header.count)] + trailer
    }()

    private static let header = Array("bplist00".utf8)

    private static func big(_ number: UInt8) -> [UInt8] { [0, 0, 0, 0, 0, 0, 0, number] }

    /// Sets the attribute; `set` takes name and value and gives back 0 or the code of the error.
    ///
    /// A file system without attributes cannot keep the promise and has no backup that asks for it. Throws
    /// ``SecureStorage/SecureStorageError/ioFailure(code:)`` for every other refusal.
    static func state(setting set: (String, [UInt8]) -> Int32) throws(SecureStorageError) {
        switch set(attribute, value) {
        case 0, ENOTSUP: return
        case let code: throw .ioFailure(code: code)
        }
    }

    /// Keeps a directory out of backups on Apple platforms; of no effect elsewhere.
    static func state(of directory: String) throws(SecureStorageError) {
        #if canImport(Darwin)
            try state { name, value in
                setxattr(directory, name, value, value.count, 0, 0) == 0 ? 0 : errno
            }
        #endif
    }
}

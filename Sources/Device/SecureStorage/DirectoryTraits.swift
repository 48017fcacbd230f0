#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// What the operating system says of a directory beside its access rights.
enum DirectoryTraits {
    #if os(Linux)
        /// NFS, SMB, CIFS, SMB 2, 9P, AFS, Ceph (statfs(2)): names and locks there depend on another machine.
        private static let networkTypes: Set<UInt32> = [
            0x6969, 0x517B, 0xFF53_4D42, 0xFE53_4D42, 0x0102_1997, 0x5346_414F, 0x00C3_6400,
        ]
    #endif

    /// Refuses a directory on a network, unless it is allowed, and keeps it out of backups on Apple platforms.
    ///
    /// A directory that does not exist (a test's file system has its own) is not judged.
    static func prepare(_ directory: String, allowingNetwork: Bool) throws(SecureStorageError) {
        var status = statfs()
        if !allowingNetwork, unsafe statfs(directory, &status) == 0 {
            #if os(Linux)
                let isRemote = networkTypes.contains(UInt32(truncatingIfNeeded: status.f_type))
            #else
                let isRemote = status.f_flags & UInt32(MNT_LOCAL) == 0
            #endif
            if isRemote { throw .networkFileSystem }
        }
        #if canImport(Darwin)
            // The attribute that isExcludedFromBackup sets; a restored storage would only say that its key is gone.
            let value = Array("com.apple.backupd".utf8)
            setxattr(directory, "com.apple.metadata:com_apple_backup_excludeItem", value, value.count, 0, 0)
        #endif
    }

    /// The directory of a configuration that names none.
    static var standard: String? {
        guard let home = environment("HOME") else { return nil }
        #if canImport(Darwin)
            return home + "/Library/Application Support/secure-storage"
        #else
            return (environment("XDG_STATE_HOME") ?? home + "/.local/state") + "/" + executableName + "/secure-storage"
        #endif
    }

    private static func environment(_ name: String) -> String? {
        guard let value = unsafe getenv(name) else { return nil }
        let text = unsafe String(cString: value)
        return text.hasPrefix("/") ? text : nil
    }

    private static var executableName: String {
        let path = CommandLine.arguments.first ?? ""
        return path.split(separator: "/").last.map(String.init) ?? "application"
    }
}

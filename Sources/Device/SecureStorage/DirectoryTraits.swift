#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// What the operating system says of a directory beside its access rights.
enum DirectoryTraits {
    /// Refuses a directory on a network, unless it is allowed, and keeps it out of backups on Apple platforms.
    ///
    /// A directory that does not exist (a test's file system has its own) is not judged.
    static func prepare(_ directory: String, allowingNetwork: Bool) throws(SecureStorageError) {
        guard allowingNetwork || !isOnNetwork(directory) else { throw .networkFileSystem }
        #if canImport(Darwin)
            // The attribute that isExcludedFromBackup sets; a restored storage would only say that its key is gone.
            let value = Array("com.apple.backupd".utf8)
            setxattr(directory, "com.apple.metadata:com_apple_backup_excludeItem", value, value.count, 0, 0)
        #endif
    }

    private static func isOnNetwork(_ directory: String) -> Bool {
        #if canImport(Darwin)
            var status = statfs()
            return statfs(directory, &status) == 0 && status.f_flags & UInt32(MNT_LOCAL) == 0
        #else
            guard let path = realpath(directory, nil) else { return false }
            defer { free(path) }
            return MountTable.system.isOnNetwork(String(cString: path))
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
        guard let value = getenv(name) else { return nil }
        let text = String(cString: value)
        return text.hasPrefix("/") ? text : nil
    }

    private static var executableName: String {
        let path = CommandLine.arguments.first ?? ""
        return path.split(separator: "/").last.map(String.init) ?? "application"
    }
}

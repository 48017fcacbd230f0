#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// The account that runs this process: nobody else is verified.
enum DeviceAccount {
    /// Its name; nil when the system knows none for the number.
    static func name() -> String? {
        var size = max(sysconf(Int32(_SC_GETPW_R_SIZE_MAX)), 1_024)
        while size <= 1 << 20 {
            var entry = passwd()
            var found: UnsafeMutablePointer<passwd>?
            let name: String? = withUnsafeTemporaryAllocation(of: CChar.self, capacity: size) { buffer in
                guard let start = buffer.baseAddress,
                    getpwuid_r(getuid(), &entry, start, buffer.count, &found) == 0
                else { return nil }
                return found.map { String(cString: $0.pointee.pw_name) } ?? ""
            }
            if let name { return name.isEmpty ? nil : name }
            size *= 4
        }
        return nil
    }
}

#if canImport(Darwin)
    import Crypto
#endif
#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Directories and hardware identity as reported by the operating system.
enum DeviceTraits {
    /// The directory of a configuration that names none.
    static var standard: String? {
        guard let home = environment("HOME") else { return nil }
        #if canImport(Darwin)
            return home + "/Library/Application Support/secure-storage"
        #else
            return (environment("XDG_STATE_HOME") ?? home + "/.local/state") + "/" + executableName + "/secure-storage"
        #endif
    }

    /// The identifier of the installation on Linux (machine-id(5)); nil elsewhere.
    static var machineIdentifier: [UInt8]? {
        guard let file = fopen("/etc/machine-id", "r") else { return nil }
        defer { fclose(file) }
        var text = [UInt8](repeating: 0, count: 32)
        guard fread(&text, 1, text.count, file) == text.count else { return nil }
        return text
    }

    /// Whether this process may use a trusted platform module, or runs on a device with a Secure Enclave.
    static var hasSecureHardware: Bool {
        #if canImport(Darwin)
            SecureEnclave.isAvailable
        #else
            access("/dev/tpmrm0", R_OK | W_OK) == 0
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

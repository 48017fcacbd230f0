import Foundation
import ServerCore

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

extension AuditActor {
    /// The operating-system user that runs this process, and who stands behind `sudo`.
    static func ofProcess(environment: [String: String] = ProcessInfo.processInfo.environment) -> AuditActor {
        let userID = getuid()
        return AuditActor(userID: userID, login: login(of: userID), sudoUser: environment["SUDO_USER"])
    }

    /// The login name; nil for a user that the system does not know, such as in a container.
    private static func login(of userID: uid_t) -> String? {
        var entry = passwd()
        var found: UnsafeMutablePointer<passwd>?
        var buffer = [CChar](repeating: 0, count: 16_384)
        return buffer.withUnsafeMutableBufferPointer { buffer in
            guard let start = buffer.baseAddress,
                getpwuid_r(userID, &entry, start, buffer.count, &found) == 0, found != nil, let name = entry.pw_name
            else { return nil }
            return String(validatingCString: name)
        }
    }
}

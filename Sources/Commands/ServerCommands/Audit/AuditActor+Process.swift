import Foundation
import ServerCore

extension AuditActor {
    /// Actor for the audit: the operating-system user of this process, and the user behind `sudo`.
    static func ofProcess(environment: [String: String] = ProcessInfo.processInfo.environment) -> AuditActor {
        let userID = getuid()
        return AuditActor(userID: userID, login: login(of: userID), sudoUser: environment["SUDO_USER"])
    }

    /// Login name; nil for a user without an entry in the system's database, such as in a container.
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

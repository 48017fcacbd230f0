import CommandSupport
import Foundation
import ServerCore
import ServerProcesses

/// Unix socket of the management listener, on its way to the path where others find it.
///
/// It is made in a folder that no other account may enter, gets its mode there, and is then moved to its path: no client can
/// connect to it before the mode holds. A lock beside it ends with the process. A socket at the path whose lock is free and
/// that does not answer was left by a killed process, and is replaced.
struct ManagementSocket: Sendable {
    /// Path where others find it.
    let path: String
    private let access: ManagementSettings.SocketAccess
    private let lock: Int32

    /// Path at which the listener makes it.
    var draft: String { folder + "/s" }

    /// Folder in which it is made, with a short name: the path of a socket is short.
    private var folder: String { "\(path).\(getpid())" }

    /// Takes the path for this process.
    ///
    /// Throws `listenerUnusable` for one in use, or where there is something else than a socket.
    static func take(_ path: String, access: ManagementSettings.SocketAccess) throws -> ManagementSocket {
        let lock = open(path + ".lock", O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard lock >= 0 else { throw PosixFiles.Failure(path: path + ".lock", number: errno) }
        let socket = ManagementSocket(path: path, access: access, lock: lock)
        do {
            guard flock(lock, LOCK_EX | LOCK_NB) == 0, StreamSocketState(at: path) != .inUse else {
                throw failure(path, "another program listens on it: stop it, or choose another path")
            }
            guard !PosixFiles().exists(path) || isSocket(path) else {
                throw failure(path, "something that is no socket is there: choose another path")
            }
            unlink(socket.draft)
            rmdir(socket.folder)
            guard mkdir(socket.folder, 0o700) == 0 else { throw PosixFiles.Failure(path: socket.folder, number: errno) }
            return socket
        } catch {
            close(lock)
            throw error
        }
    }

    func publish() throws(PosixFiles.Failure) {
        let mode: mode_t =
            switch access {
            case .owner: 0o600
            case .group: 0o660
            }
        guard chmod(draft, mode) == 0, rename(draft, path) == 0 else {
            throw PosixFiles.Failure(path: path, number: errno)
        }
        rmdir(folder)
    }

    func remove() {
        unlink(path)
        unlink(draft)
        rmdir(folder)
        close(lock)
    }

    private static func failure(_ path: String, _ reason: String) -> CommandFailure {
        .local("listenerUnusable", "management.server.socket: \(path): \(reason)")
    }

    private static func isSocket(_ path: String) -> Bool {
        // Foundation is asked rather than `stat`, as in FileStamp.
        (try? FileManager.default.attributesOfItem(atPath: path))?[.type] as? FileAttributeType == .typeSocket
    }
}

import CommandSupport
import Foundation
import HardwareKeys

/// File with a secret, because all users of the machine can see the arguments of a process.
///
/// A file that other users may read is refused; pipes and terminals have no such permissions.
struct SecretFile {
    private static let sizeLimit = 16 * 1024

    var path: String

    /// The bytes without one trailing line break.
    func octets() throws(CommandFailure) -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw unreadable }
        defer { close(descriptor) }
        try requirePrivate(descriptor)
        var octets = try content(of: descriptor)
        if octets.last == UInt8(ascii: "\n") { octets.removeLast() }
        if octets.last == UInt8(ascii: "\r") { octets.removeLast() }
        guard !octets.isEmpty else { throw .local("SecretFileEmpty", "the file \(path) is empty") }
        return octets
    }

    func text() throws(CommandFailure) -> String {
        guard let text = String(validating: try octets(), as: UTF8.self) else {
            throw .local("SecretFileUnreadable", "the file \(path) holds no text")
        }
        return text
    }

    private var unreadable: CommandFailure {
        .local("SecretFileUnreadable", "the file \(path) cannot be read")
    }

    private func content(of descriptor: Int32) throws(CommandFailure) -> [UInt8] {
        var octets: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 4_096)
        while octets.count <= Self.sizeLimit {
            let count = read(descriptor, &part, part.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw unreadable }
            guard count > 0 else { return octets }
            octets += part.prefix(count)
        }
        throw unreadable
    }

    /// Checks the opened file and not its path, which could name another file by then.
    private func requirePrivate(_ descriptor: Int32) throws(CommandFailure) {
        guard let isExposed = PosixFileSystem.isExposed(openFile: descriptor) else { throw unreadable }
        guard !isExposed else {
            throw .local(
                "SecretFileExposed",
                "the file \(path) holds a secret and others may read it: make it readable by its owner only "
                    + "(chmod 600)")
        }
    }
}

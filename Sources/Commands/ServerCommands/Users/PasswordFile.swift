import CommandSupport
import Octets

struct PasswordFile {
    static let discussion = """
        The password comes from a file, never from the command line, where every user of the machine could read it; \
        one line feed at its end is not part of it.
        """

    let path: String

    /// Password in the file; throws a ``CommandFailure`` when the file is unreadable, empty or not UTF-8.
    func password() throws -> String {
        guard var bytes = PosixFiles().contents(of: path) else {
            throw CommandFailure.local("fileUnusable", "cannot read the password file \(path)")
        }
        defer { SecretOctets.wipe(&bytes) }
        if bytes.last == UInt8(ascii: "\n") { bytes.removeLast() }
        guard let password = String(validating: bytes, as: UTF8.self), !password.isEmpty else {
            throw CommandFailure.local("fileUnusable", "\(path) holds no password in UTF-8")
        }
        return password
    }
}

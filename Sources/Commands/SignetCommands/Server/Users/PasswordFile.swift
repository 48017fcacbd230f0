import Octets

/// File that brings a password to a command.
struct PasswordFile {
    /// What the commands say about it.
    static let discussion = """
        The password comes from a file, never from the command line, where every user of the machine could read it; \
        one line feed at its end is not part of it.
        """

    /// Where the file is.
    let path: String

    /// The password; throws a ``CommandFailure`` when there is no file, or none in UTF-8.
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

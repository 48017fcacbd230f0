import Foundation
import MobileAuthentication

/// What the server gave for an authentication.
struct SignedInSession {
    /// What later operations may send.
    let provider: (any AuthorizationProvider)?

    /// Writes a token into a file for its owner only; returns the kind of session.
    func keep(in path: String?) throws(CommandFailure) -> String {
        switch provider {
        case let token as JwtAuthorizationProvider:
            if let path { try write(token.jwt, to: path) }
            return "token"
        case is CookieAuthorizationProvider: return "cookie"
        default: return "no session"
        }
    }

    private func write(_ text: String, to path: String) throws(CommandFailure) {
        let isWritten = FileManager.default.createFile(
            atPath: path, contents: Data((text + "\n").utf8), attributes: [.posixPermissions: 0o600])
        guard isWritten else { throw .local("TokenFileUnwritable", "the file \(path) cannot be written") }
    }
}

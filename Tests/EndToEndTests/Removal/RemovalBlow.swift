import CommandSupport
import DemoCommands
import Foundation
import Testing

/// What the help desk, or the owner of a phone, does to an account.
enum RemovalBlow: String, CaseIterable, Sendable {
    /// Nothing: what is refused afterwards would be refused anyway.
    case nothing
    case lockUser, disableKey, removeKey, removeDevice, removeUser, changePassword, deregister, endSessions

    private static let reason = ["--reason", "a test"]

    /// Lets it happen to a user of a running server, by the commands of the administrator.
    func fall(on user: RemovalUser, at server: LocalServer) async throws {
        let name = user.name
        switch self {
        case .nothing: return
        case .lockUser: try await done(server.administer("users lock", Self.reason, names: [name]))
        case .disableKey:
            try await done(server.administer("credentials disable", ["--user", name, "--all"] + Self.reason))
        case .removeKey:
            try await done(server.administer("credentials remove", ["--user", name, "--all"] + Self.reason))
        case .removeDevice:
            try await done(
                server.administer("devices remove", ["--user", name, "--name", RemovalUser.deviceName] + Self.reason))
        case .removeUser: try await done(server.administer("users remove", Self.reason, names: [name]))
        case .changePassword:
            let file = server.passwordFile(of: name).path()
            try await done(
                server.administer("users set-password", ["--password-file", file] + Self.reason, names: [name]))
        case .deregister: #expect(try await user.try(.deregister) == .granted)
        case .endSessions: try await done(server.administer("sessions end", ["--user", name] + Self.reason))
        }
    }

    private func done(_ outcome: CommandOutcome) {
        #expect(outcome.isDone, "\(rawValue): \(outcome.message)")
    }
}

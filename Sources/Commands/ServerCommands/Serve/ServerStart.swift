import CommandSupport
import ServerCore

struct ServerStart {
    /// Path of the file that announces the ports; nil for none.
    let readyFile: String?
    /// Whether the announcement is read by a person and not by a program.
    let isForPeople: Bool
    /// Options that select the same installation in other commands, each with a leading space.
    let options: String

    func welcome(origin: String, authorityFile: String?, management: ManagementListener.Opened) -> String {
        var lines = ["", "Signet answers at \(origin); health and metrics \(Self.words(for: management))."]
        if let authorityFile { lines.append("Its certificate is its own: phones of a trial trust \(authorityFile)") }
        lines += [
            "Invite a user, in another terminal:   "
                + "signet-server users add anna --invite -m 'first trial'\(options)",
            "See what is wrong, if anything:       signet doctor --server \(origin)"
                + (authorityFile.map { " --ca \(ShellWord.quoted($0))" } ?? ""),
            "Ctrl-C stops it.", "",
        ]
        return lines.joined(separator: "\n") + "\n"
    }

    private static func words(for management: ManagementListener.Opened) -> String {
        switch management {
        case .address(let address) where address.isLoopback: "on port \(address.port) of this machine"
        case .address(let address): "at https://\(address.authority)"
        case .socket(let path): "on the socket \(path)"
        }
    }
}

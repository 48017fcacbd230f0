/// What whoever has started the server wants to be told, and how.
struct ServerStart {
    /// The file that says where the server listens; nil for none.
    let readyFile: String?
    /// Whether a person reads along, not a program.
    let isForPeople: Bool
    /// The options that lead other commands to the same installation, each word behind a blank.
    let options: String
    /// Where phones reach the server by the configuration alone.
    let configuredOrigin: String

    /// What a person needs in order to go on.
    func welcome(origin: String, authorityFile: String?, management: Int) -> String {
        var lines = ["", "Signet answers at \(origin); health and metrics on port \(management) of this machine."]
        if let authorityFile { lines.append("Its certificate is its own: phones of a trial trust \(authorityFile)") }
        lines += [
            "Invite a user, in another terminal:   "
                + "signet-server users add anna --invite\(serverOption(origin))\(options)",
            "See what is wrong, if anything:       signet doctor --server \(origin)"
                + (authorityFile.map { " --ca \(ShellWord.quoted($0))" } ?? ""),
            "Ctrl-C stops it.", "",
        ]
        return lines.joined(separator: "\n") + "\n"
    }

    /// Where phones reach a server that has been started with other ports than configured.
    private func serverOption(_ origin: String) -> String {
        origin == configuredOrigin ? "" : " --server \(origin)"
    }
}

import ServerConfiguration
import ServerCore
import StrictJSON

/// What a new user gets beside the account: an operation that registers their phone, and words on how to go on.
struct Invitation {
    let name: String
    /// Where phones reach the server.
    let origin: String
    let deployment: Deployment

    /// What `users add --invite` says; `added` is about the account, `dispatched` about the operation.
    func outcome(
        after added: CommandReport.Outcome, _ dispatched: CommandReport.Outcome
    ) -> CommandReport.Outcome {
        CommandReport.Outcome(
            text: ([added.text, dispatched.text] + advice(dispatched)).joined(separator: "\n"),
            result: JSONObject(
                distinct: added.result.members + [JSONObject.Member("invitation", .object(dispatched.result))]))
    }

    private func advice(_ dispatched: CommandReport.Outcome) -> [String] {
        let authority = authorityFile.map { " --ca \(ShellWord.quoted($0))" } ?? ""
        let source: String? =
            if let file = dispatched.result.text("file") {
                "scan --device phone \(ShellWord.quoted(file))"
            } else {
                dispatched.result.text("link").map { "open --device phone \(ShellWord.quoted($0))" }
            }
        let phone = [
            "signet device init --device phone --server \(origin)\(authority) --keys software",
            source.map { "signet device \($0)" },
            "signet device authenticate --device phone --user \(ShellWord.quoted(name))",
        ]
        return [
            "", "Whoever scans or opens it first registers a phone for this user: show it to nobody else.",
            "It is for the server at \(origin), which has to run. A phone on this command line:",
        ] + phone.compactMap(\.self).map { "  " + $0 }
    }

    /// The authority that phones on this machine have to be told of.
    private var authorityFile: String? {
        guard deployment.http.security == .ownCertificate else { return nil }
        return CertificateFolder(path: deployment.dataDirectory + "/tls", files: PosixFiles()).authorityFile
    }
}

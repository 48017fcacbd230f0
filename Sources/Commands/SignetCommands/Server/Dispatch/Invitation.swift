import ServerConfiguration
import ServerCore
import StrictJSON

/// What a new user gets beside the account: an operation that registers his phone, and words on how to go on.
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
        let authority = authorityFile.map { " --ca \(Self.quoted($0))" } ?? ""
        let source: String? =
            if let file = dispatched.result.text("file") {
                "scan --device phone \(Self.quoted(file))"
            } else {
                dispatched.result.text("link").map { "open --device phone \(Self.quoted($0))" }
            }
        let phone = [
            "signet device init --device phone --server \(origin)\(authority) --keys software",
            source.map { "signet device \($0)" },
            "signet device authenticate --device phone --user \(Self.quoted(name))",
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

    /// A word as a shell takes it.
    private static func quoted(_ word: String) -> String {
        let isPlain = word.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"):
                true
            default: "/._-@+:,".utf8.contains(byte)
            }
        }
        return isPlain && !word.isEmpty ? word : "'" + word.replacing("'", with: "'\\''") + "'"
    }
}

import CommandSupport
import PushSink
import ServerCore

/// File of the sink's service account: created once, and updated with the address of the sink.
struct ServiceAccountFile {
    let path: String
    private let files = PosixFiles()

    init(path: String) {
        self.path = path
    }

    /// The account in the file, or a new one when there is no file.
    func account() throws -> SinkAccount {
        guard let content = files.contents(of: path) else {
            guard files.permissions(of: path) == nil else {
                throw CommandFailure.local("fileUnusable", "cannot read \(path)")
            }
            return try SinkAccount.make(random: SystemRandomSource())
        }
        do throws(PushSinkError) {
            return try SinkAccount(json: content)
        } catch {
            throw CommandFailure.local(
                "fileUnusable", "\(path) is no service account of a push sink; name another file")
        }
    }

    /// Writes the account, readable by its owner only, unless the file already contains it.
    func write(_ account: SinkAccount, origin: String) throws {
        let content = account.json(origin: origin)
        guard files.contents(of: path) != content || files.permissions(of: path) != 0o600 else { return }
        try files.write(content, to: path, mode: 0o600)
    }
}

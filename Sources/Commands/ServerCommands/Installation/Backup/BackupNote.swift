import CommandSupport
import ServerConfiguration
import ServerCore

/// Note of the last backup, in a file beside the mark of the database.
struct BackupNote {
    let path: String

    /// Note about a database whose lease files begin with a path (``Deployment/leaseFile``).
    init(besides leaseFile: String) {
        path = MarkFile(besides: leaseFile).path.replacing(".mark", with: ".backup")
    }

    /// Time of the last backup; nil for none, and for a text that is no note.
    var time: Timestamp? {
        PosixFiles().contents(of: path).flatMap { text in
            Int64(String(decoding: text.prefix { $0 != 0x20 }, as: UTF8.self)).map { Timestamp(milliseconds: $0) }
        }
    }

    /// Notes the time of a backup and its SHA-256.
    func write(_ summary: BackupFile.Summary) throws(PosixFiles.Failure) {
        let text = "\(summary.statement.createdAt.milliseconds) \(summary.hash)\n"
        try PosixFiles().write(Array(text.utf8), to: path, mode: 0o600)
    }
}

import Octets
import ServerCore

/// The file of the key that wraps all keys in the database.
struct MasterKeyFile {
    let path: String
    let databaseFile: String

    private let files = PosixFiles()

    init(path: String, databaseFile: String) {
        self.path = path
        self.databaseFile = databaseFile
    }

    /// The key in the file, which is made when neither it nor a wrapped key is there yet.
    ///
    /// With `isLost` a missing file is made beside wrapped keys, too. Throws when others can read the file, and when it
    /// is missing although the database needs it.
    func key(for stored: any KeyStore, isLost: Bool) async throws -> MasterKey {
        if files.permissions(of: path) == nil {
            let isNeeded = try await !stored.keys().isEmpty
            guard isLost || !isNeeded else { throw missing }
            let fresh = MasterKey.fresh(from: SystemRandomSource())
            try fresh.withUnsafeBytes { bytes throws(PosixFiles.Failure) in
                try files.writeNew(Array(bytes), to: path, mode: 0o600)
            }
        }
        if let mode = files.permissions(of: path), mode & 0o077 != 0 {
            throw CommandFailure.local(
                "exposedMasterKey", "\(path) can be read by others; make it readable by its owner only")
        }
        guard var bytes = files.contents(of: path) else {
            throw CommandFailure.local("fileUnusable", "cannot read the master key file \(path)")
        }
        defer { SecretOctets.wipe(&bytes) }
        return try MasterKey(SecretOctets(copying: bytes))
    }

    /// An error of the start in words that name the files, when it is about the key.
    func explained(_ error: ServerError) -> any Error {
        guard error == .wrongMasterKey else { return error }
        return CommandFailure.local(
            "wrongMasterKey",
            "the master key in \(path) does not open the keys in the database \(databaseFile); \(Self.waysOut)")
    }

    private var missing: CommandFailure {
        .local(
            "masterKeyLost",
            "the master key file \(path) is missing, but the database \(databaseFile) holds keys that only it opens; "
                + Self.waysOut)
    }

    private static let waysOut =
        "put the right file back, or run \"signet-server keys replace --lost-master-key\", which makes new keys and "
        + "ends every challenge and token, but keeps users and credentials"
}

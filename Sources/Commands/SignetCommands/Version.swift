/// The version of both programs, the only place where it stands.
enum Version {
    /// What `--version` prints; nothing has been released yet.
    static let current = "0.1.0-unreleased"
}

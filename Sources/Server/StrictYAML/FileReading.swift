/// Port for the files that a configuration names.
package protocol FileReading: Sendable {
    func contents(of path: String) -> [UInt8]?
    /// The permission bits of a file (such as 0o600), or nil when there is no such file.
    func permissions(of path: String) -> UInt16?
    /// The names of the files in a folder, sorted, or nil when it is no folder.
    func names(in folder: String) -> [String]?
}

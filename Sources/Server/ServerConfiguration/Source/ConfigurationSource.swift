/// Where settings come from: one file, the environment, and the files that they name.
package struct ConfigurationSource: Sendable {
    /// Name of the configuration file as messages show it; nil when there is none and defaults apply.
    package var fileName: String?
    /// Text of the configuration file.
    package var text: String
    /// Folder from which relative paths in the configuration are counted.
    package var folder: String
    /// The process environment.
    package var environment: [String: String]
    /// Reads files named by `${file:...}` and by keys that end in `-file`.
    package var files: any FileReading

    /// Puts a source together.
    package init(
        fileName: String?, text: String, folder: String, environment: [String: String], files: any FileReading
    ) {
        self.fileName = fileName
        self.text = text
        self.folder = folder
        self.environment = environment
        self.files = files
    }

    /// An absolute path for `path`.
    func absolute(_ path: String) -> String {
        if path.hasPrefix("/") { return path }
        return folder.hasSuffix("/") ? folder + path : folder + "/" + path
    }
}

/// Port for the files that a configuration names.
package protocol FileReading: Sendable {
    /// The bytes of a file, or nil when it cannot be read.
    func contents(of path: String) -> [UInt8]?
    /// The permission bits of a file (such as 0o600), or nil when there is no such file.
    func permissions(of path: String) -> UInt16?
    /// The names of the files in a folder, sorted, or nil when it is no folder.
    func names(in folder: String) -> [String]?
}

/// Source of the settings: one file, the environment, and the files that they name.
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

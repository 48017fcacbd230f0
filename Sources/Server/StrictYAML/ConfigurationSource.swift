/// Source of the settings: one file, the environment, and the files that they name.
package struct ConfigurationSource: Sendable {
    /// Name of the configuration file as messages show it; nil when there is none and defaults apply.
    package var fileName: String?
    package var text: String
    /// Folder from which relative paths in the configuration are counted.
    package var folder: String
    package var environment: [String: String]
    /// Reads files named by `${file:...}` and by keys that end in `-file`.
    package var files: any FileReading

    package init(
        fileName: String?, text: String, folder: String, environment: [String: String], files: any FileReading
    ) {
        self.fileName = fileName
        self.text = text
        self.folder = folder
        self.environment = environment
        self.files = files
    }

    package func absolute(_ path: String) -> String {
        if path.hasPrefix("/") { return path }
        return folder.hasSuffix("/") ? folder + path : folder + "/" + path
    }
}

extension ConfigurationSource {
    /// Reads the document by `body`, or throws everything that is wrong with it at once: settings that `body` does not
    /// ask for, wrong types, values out of range, each with its place.
    ///
    /// With a `variablePrefix` the environment variables that begin with it override settings, and one that overrides
    /// nothing is a mistake.
    package func read<Value>(
        variablePrefix: String? = nil, _ body: (inout SectionReader) -> Value
    ) throws(ConfigurationError) -> Value {
        let session = ReadingSession(source: self, variablePrefix: variablePrefix)
        let root = try ConfigurationNode.parse(text, fileName: fileName ?? "")
        var reader = SectionReader(root, path: [], session: session)
        let value = body(&reader)
        reader.finish()
        session.reportUnknownVariables()
        guard session.problems.isEmpty else { throw .problems(session.problems) }
        return value
    }
}

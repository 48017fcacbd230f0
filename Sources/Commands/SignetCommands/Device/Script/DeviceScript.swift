import ServerConfiguration

/// What a scripted user does with a phone, step by step.
struct DeviceScript: Sendable {
    let steps: [ScriptStep]

    /// Reads a script, or says everything that is wrong with it, with line and column.
    init(file path: String) throws(CommandFailure) {
        let files = PosixFiles()
        guard let octets = files.contents(of: path), let text = String(validating: octets, as: UTF8.self) else {
            throw .local("ScriptUnreadable", "the script \(path) cannot be read")
        }
        let folder = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
        let source = ConfigurationSource(
            fileName: path, text: text, folder: folder.isEmpty ? "/" : folder, environment: [:], files: files)
        try self.init(source)
    }

    /// Reads a script from a source.
    init(_ source: ConfigurationSource) throws(CommandFailure) {
        do throws(ConfigurationError) {
            steps = try ConfigurationReader.read(source) { $0.readScript() }
        } catch {
            throw .local("ScriptInvalid", error.description)
        }
    }
}

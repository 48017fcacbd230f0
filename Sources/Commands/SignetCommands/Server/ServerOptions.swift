import ArgumentParser
import FoundationEssentials
import ServerConfiguration

/// What every command of `signet-server` takes.
struct ServerOptions: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp(
            "The configuration file (YAML). Without it the defaults for a trial on this machine apply.",
            valueName: "file"))
    var config: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Folder of database, keys and certificate, instead of the configured one.", valueName: "directory"))
    var dataDirectory: String?

    @Option(name: .long, help: "How to print what came out: text or json.")
    var format: ReportFormat = .text

    /// Reads the configuration with everything that overrides it.
    func deployment() throws -> Deployment {
        let files = PosixFiles()
        var text = ""
        if let config {
            guard let bytes = files.contents(of: config), let read = String(validating: bytes, as: UTF8.self) else {
                throw ServerCommandFailure(.local, "fileUnusable", "cannot read \(config) as UTF-8 text")
            }
            text = read
        }
        let here = FileManager.default.currentDirectoryPath
        var environment = ProcessInfo.processInfo.environment
        if let dataDirectory {
            environment["SIGNET_SERVER_DATA_DIRECTORY"] = absolute(dataDirectory, from: here)
        }
        let folder = config.map { absolute($0, from: here) }.map { path in
            String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])
        }
        return try ConfigurationReader.read(
            ConfigurationSource(
                fileName: config, text: text, folder: folder ?? here, environment: environment, files: files))
    }

    private func absolute(_ path: String, from folder: String) -> String {
        path.hasPrefix("/") ? path : folder + "/" + path
    }
}

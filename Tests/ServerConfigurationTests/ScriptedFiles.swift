import ServerConfiguration
import StrictYAML

/// Files that exist only in a test.
struct ScriptedFiles: FileReading {
    var files: [String: (text: String, permissions: UInt16)] = [:]

    func contents(of path: String) -> [UInt8]? { files[path].map { Array($0.text.utf8) } }

    func permissions(of path: String) -> UInt16? { files[path]?.permissions }

    func names(in folder: String) -> [String]? {
        let names = files.keys.filter { $0.hasPrefix(folder + "/") }.map { String($0.dropFirst(folder.count + 1)) }
        return names.isEmpty ? nil : names.sorted()
    }
}

/// Reads a configuration text as the server would.
func read(
    _ text: String, environment: [String: String] = [:],
    files: [String: (text: String, permissions: UInt16)] = [:]
) throws(ConfigurationError) -> Deployment {
    let source = ConfigurationSource(
        fileName: "signet.yml", text: text, folder: "/etc/signet",
        environment: environment.merging(["HOME": "/operator"]) { given, _ in given },
        files: ScriptedFiles(files: files)
    )
    return try ConfigurationReader.read(source)
}

/// The problems of a configuration that must be refused.
func problems(
    _ text: String, environment: [String: String] = [:],
    files: [String: (text: String, permissions: UInt16)] = [:]
) -> [String] {
    do throws(ConfigurationError) {
        _ = try read(text, environment: environment, files: files)
        return []
    } catch .problems(let problems) {
        return problems.map(\.description)
    } catch {
        return [error.description]
    }
}

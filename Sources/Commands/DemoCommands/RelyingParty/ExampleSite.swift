import CommandSupport
import Foundation

/// Site of the examples in Python, as a client of the server.
struct ExampleSite {
    let name: String
    let title: String
    let port: Int
    let options: [String]

    /// Starts the site with additional environment variables, `settings`, and waits until it serves.
    ///
    /// The Python of Debian comes first: the packages of Debian are installed for it.
    func start(besides program: URL, in folder: URL, _ settings: [String: String]) async throws -> ChildProcess {
        let path = "/usr/bin:" + (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/local/bin")
        let files = try TryFiles.find(besides: program, path: path)
        let file = files.shop.deletingLastPathComponent().appending(path: name + ".py")
        let ready = ReadyFile(url: folder.appending(path: "\(name)-ready.json"), process: name + ".py")
        let own = ["CLIENT_ID": name, "PORT": String(port), "READY_FILE": ready.url.path()]
        let process = try ChildProcess(
            files.python, ["-B", file.path()], environment: settings.merging(own) { $1 }, folder: folder, name: name)
        do {
            _ = try await ready.announcement(of: process)
        } catch  where process.complaints.contains("No module named") {
            throw CommandFailure.local(
                "PythonPackageMissing",
                "the library of \(name).py is missing: install python3-authlib and python3-requests")
        }
        return process
    }
}

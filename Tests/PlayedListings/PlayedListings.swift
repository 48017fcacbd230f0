import Foundation
import PackagePlugin

/// Puts the listings of the documentation into the files of the folder `Played` of a target (script/maintain/listings).
@main
struct PlayedListings: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
        let (root, output) = (context.package.directoryURL, context.pluginWorkDirectoryURL)
        let script = root.appending(path: "script/maintain/listings")
        let played = try files(in: target.directoryURL.appending(path: "Played"))
        let pages = try ["docs", "Sources/Protocol", "Sources/Device"].flatMap {
            try files(in: root.appending(path: $0))
        }
        return [
            .buildCommand(
                displayName: "Listings of \(target.name)", executable: script,
                arguments: [output.path()] + played.map { $0.path() }, inputFiles: [script] + played + pages,
                outputFiles: played.map { output.appending(path: $0.lastPathComponent) })
        ]
    }

    private func files(in folder: URL) throws -> [URL] {
        try FileManager.default.subpathsOfDirectory(atPath: folder.path())
            .filter { $0.hasSuffix(".swift") || $0.hasSuffix(".md") }.map { folder.appending(path: $0) }
    }
}

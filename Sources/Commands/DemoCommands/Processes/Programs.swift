package import CommandSupport
package import Foundation

/// Paths of the programs, which are installed in one folder.
package struct Programs: Sendable {
    /// Path of `signet`.
    package let phone: URL
    /// Path of `signet-server`.
    package let server: URL

    package static func besideThisOne() throws(CommandFailure) -> Programs {
        guard let own = Bundle.main.executableURL?.resolvingSymlinksInPath() else {
            throw .local("ProgramsNotFound", "this program does not know where it lies")
        }
        return try inFolder(own.deletingLastPathComponent())
    }

    package static func inFolder(_ folder: URL) throws(CommandFailure) -> Programs {
        Programs(phone: try program("signet", in: folder), server: try program("signet-server", in: folder))
    }

    /// Path of `signet-push-sink`.
    ///
    /// It is looked for when it is needed only: the sink is for trials and tests, and a server in operation has none.
    package var pushSink: URL {
        get throws(CommandFailure) { try Self.program("signet-push-sink", in: server.deletingLastPathComponent()) }
    }

    private static func program(_ name: String, in folder: URL) throws(CommandFailure) -> URL {
        let program = folder.appending(path: name)
        guard FileManager.default.isExecutableFile(atPath: program.path()) else {
            throw .local(
                "ProgramsNotFound", "\(program.path()) is missing: the programs of a release lie in one folder")
        }
        return program
    }
}

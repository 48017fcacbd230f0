package import Foundation

/// Paths of the two programs, which are installed in one folder.
package struct Programs: Sendable {
    /// Path of `signet`.
    package let phone: URL
    /// Path of `signet-server`.
    package let server: URL

    /// Finds them in the folder of the running program.
    package static func besideThisOne() throws(CommandFailure) -> Programs {
        guard let own = Bundle.main.executableURL?.resolvingSymlinksInPath() else {
            throw .local("ProgramsNotFound", "this program does not know where it lies")
        }
        return try inFolder(own.deletingLastPathComponent())
    }

    /// Finds them in a folder.
    package static func inFolder(_ folder: URL) throws(CommandFailure) -> Programs {
        let programs = Programs(
            phone: folder.appending(path: "signet"), server: folder.appending(path: "signet-server"))
        for program in [programs.phone, programs.server] {
            guard FileManager.default.isExecutableFile(atPath: program.path()) else {
                throw .local("ProgramsNotFound", "\(program.path()) is missing: run script/demo, which builds it")
            }
        }
        return programs
    }
}

package import ServerCore

/// Unix socket of a server process for administration, in the folder of the processes on its database.
///
/// Only the account of the server can enter the folder, and it could write the database as well: the socket needs no key.
package struct AdministrationSocket: Sendable {
    private static let ending = ".admin"

    private let folder: PeerFolder
    private let name: String

    /// Describes the socket of this process beside `databaseFile`, and removes sockets of processes that have ended; `random`
    /// draws its name.
    ///
    /// Throws ``ServerProcessesError/folder(path:errorNumber:)`` for a folder that cannot be made, or is open to others.
    package init(besides databaseFile: String, random: any RandomSource) throws(ServerProcessesError) {
        folder = try PeerFolder(besides: databaseFile, ending: Self.ending)
        name = CeremonyID(from: random).text
        // A process that begins just now has its file a moment before it listens.
        for other in folder.names
        where folder.isOld(other) && StreamSocketState(at: folder.address(of: other)) == .abandoned {
            folder.remove(other)
        }
    }

    /// Path for this process as long as the value lives, as short as the address of a socket has to be.
    package var address: String { folder.address(of: name) }

    package func remove() { folder.remove(name) }

    /// Sockets beside `databaseFile`, for a command: their processes run, or have ended without removing them.
    package static func all(besides databaseFile: String) throws(ServerProcessesError) -> [AdministrationSocket] {
        let folder = try PeerFolder(besides: databaseFile, ending: ending)
        return folder.names.sorted().map { AdministrationSocket(folder: folder, name: $0) }
    }

    private init(folder: PeerFolder, name: String) { (self.folder, self.name) = (folder, name) }
}

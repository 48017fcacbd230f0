import CommandSupport
import ServerConfiguration
import ServerCore

extension FindingSource {
    /// Disks of the data directory and of the database file; `space` says how many octets a path has.
    static func disk(
        _ deployment: Deployment, space: @escaping @Sendable (String) -> DiskSpace? = { DiskSpace(at: $0) }
    ) -> FindingSource {
        let paths = [deployment.dataDirectory, deployment.database.file].compactMap(\.self)
        return FindingSource(.disk) {
            var seen: Set<DiskSpace> = []
            return paths.compactMap { path in
                guard let found = space(path), seen.insert(found).inserted, found.isNearlyFull else { return nil }
                return .warning(.disk, "the disk of \(path) has \(found.words)")
            }
        }
    }

    /// Files that the process has open, of those that it may open.
    static func descriptors(
        _ figures: @escaping @Sendable () -> (open: Int, limit: Int)? = { ProcessFigures.descriptors }
    ) -> FindingSource {
        FindingSource(.descriptors) {
            guard let (open, limit) = figures(), open * 5 >= limit * 4 else { return [] }
            return [.warning(.descriptors, "\(open) of \(limit) files and sockets that the process may open are open")]
        }
    }
}

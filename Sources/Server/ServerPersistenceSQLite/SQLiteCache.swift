import Foundation

/// Page caches of the connections to one database file.
///
/// Each connection has its cache, and what one has read another reads again. So all have one size: what a look-up needs
/// beside the leaves, which the system caches. The inner pages of the indexes of a million users take some 15 MiB; a
/// cache that is smaller reads them again for each request.
package struct SQLiteCache: Sendable, Hashable {
    /// Sizes that are chosen by the memory, in MiB.
    static let chosenSizes: ClosedRange<Int> = 64...1_024
    /// Part of the memory that is chosen.
    static let memoryShare = 8
    /// Least size for one connection in KiB, which is the default of SQLite.
    static let leastKiB = 2_048

    /// Size for all connections together, in MiB.
    package let size: Int

    /// Takes a size in MiB; without one an eighth of `memory`, in octets, and 64 MiB to 1 GiB.
    package init(size: Int? = nil, memory: UInt64 = Self.memory) {
        let share = Int(clamping: memory / UInt64(Self.memoryShare) / 1_048_576)
        let chosen = min(max(share, Self.chosenSizes.lowerBound), Self.chosenSizes.upperBound)
        self.size = size ?? chosen
    }

    func kiB(forEachOf connections: Int) -> Int {
        max(size * 1_024 / max(connections, 1), Self.leastKiB)
    }

    /// Memory that this process may use, in octets: the machine's, or less where its control group has a limit.
    package static var memory: UInt64 {
        let bounds = limitFiles.compactMap { path in
            (try? String(contentsOfFile: path, encoding: .utf8)).flatMap { octets(in: $0) }
        }
        return bounds.reduce(ProcessInfo.processInfo.physicalMemory) { min($0, $1) }
    }

    /// Limit in the text of a file of a control group; nil for `max`.
    static func octets(in text: String) -> UInt64? {
        UInt64(text.trimmingCharacters(in: .whitespacesAndNewlines))
    }

    /// Files with the bounds of this process's control group (cgroup v2) and of the one of its container.
    private static var limitFiles: [String] {
        let groups = (try? String(contentsOfFile: "/proc/self/cgroup", encoding: .utf8)) ?? ""
        let own = groups.split(separator: "\n").compactMap { line in
            line.hasPrefix("0::/") ? String(line.dropFirst("0::".count)) : nil
        }
        return Set(own + ["/"]).map { "/sys/fs/cgroup\($0 == "/" ? "" : $0)/memory.max" }
    }
}

/// List of processor cores as Linux writes it: numbers and ranges with commas between them, such as `0-2,5`.
package struct CoreList: Sendable, Hashable, CustomStringConvertible {
    /// Largest number of a core that Linux supports.
    private static let largestNumber = 8_191

    /// Numbers of the cores, as they stand in the list.
    package let cores: [Int]

    /// List of these cores.
    package init(_ cores: [Int]) {
        self.cores = cores
    }

    /// Reads the text of a list; nil for anything else, an empty text included.
    package init?(_ text: some StringProtocol) {
        var cores: [Int] = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            let ends = part.split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
            guard ends.count <= 2, let first = ends.first ?? nil, let last = ends.last ?? nil, first <= last,
                first >= 0, last <= Self.largestNumber
            else { return nil }
            cores += first...last
        }
        self.cores = cores
    }

    /// The list as Linux reads it.
    package var description: String { cores.map(String.init).joined(separator: ",") }

    /// The last core for the load generator, the others for what it measures; nil with fewer than two.
    package var shares: (servers: CoreList, generator: CoreList)? {
        guard cores.count > 1, let last = cores.last else { return nil }
        return (CoreList(Array(cores.dropLast())), CoreList([last]))
    }
}

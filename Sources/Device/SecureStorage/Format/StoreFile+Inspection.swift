import Octets

extension StoreFile {
    var storageIDText: String { Hex.encode(header.storageID) }

    /// The names in an index that stands in clear; nil when it does not, or is none.
    var clearNames: [String]? {
        guard header.flags.contains(.namesInClear) else { return nil }
        return EntryIndex(parsing: Array(index), header: header)?.entries.map(\.name.text)
    }
}

/// Type of a stored value; the raw value is what the file records.
enum EntryKind: UInt8, Sendable {
    case string = 1
    case bytes = 2
}

/// Message from one server process to the others on the same database.
///
/// A message says what has happened and asks for nothing. It may be lost or come late: each receiver also looks at the
/// database by itself now and then, so that a lost message delays what it says and changes nothing.
package enum ProcessMessage: Sendable, Hashable {
    /// Ceremonies have moved on: requests that wait for their status look at the database.
    case moved([CeremonyID])
    /// Events were counted under a limit that the processes share.
    case counted(Tally, [KeyCount])
    /// Rows that other processes keep a copy of, or read as they come, are different from now on.
    case changed(SharedRows)

    /// Limit whose counts the processes exchange.
    package enum Tally: UInt8, Sendable, Hashable, CaseIterable {
        case addressRequests = 1
        /// Requests of an address for one user.
        case userRequests = 2
        /// Refused requests that a device has signed.
        case deviceRefusals = 3
        case accessKeys = 4
    }

    /// Rows of the database of which other processes are told when they change.
    package enum SharedRows: UInt8, Sendable, Hashable, CaseIterable {
        case keys = 1
        /// The records of the audit, which a process reads for its subscribers.
        case audit = 2
    }

    /// Number of events that were counted under one key of a limit.
    package struct KeyCount: Sendable, Hashable {
        /// Longest key in UTF-8 bytes; what is counted under a longer one is not exchanged.
        package static let keyByteLimit = 512

        /// The key, such as a network address.
        package let key: String
        /// Events, from 1 to 65,535.
        package let count: Int

        /// Counts `count` events; nil for a number or a key out of bounds.
        package init?(key: String, count: Int) {
            guard (1...Int(UInt16.max)).contains(count), key.utf8.count <= Self.keyByteLimit else { return nil }
            self.key = key
            self.count = count
        }
    }
}

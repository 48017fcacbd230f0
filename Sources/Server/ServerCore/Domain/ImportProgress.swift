package import StrictJSON

/// Progress of an import from one file, written in the transaction of each batch.
package struct ImportProgress: Sendable, Hashable {
    /// Results for the objects of a file.
    package enum Count: String, Sendable, Hashable, CaseIterable {
        case users, devices, credentials, passkeys, clients
        /// The object was here before, with the same content.
        case present
        /// The object was left out, for a reason that the import has told.
        case bad
    }

    /// Entries of the file that are done: lines, rows, or objects of one document.
    package var entries: Int
    package var counts: [Count: Int]
    package let begunAt: Timestamp
    /// Time of the last batch; nil while there are entries to come.
    package var endedAt: Timestamp?

    package init(begunAt time: Timestamp) { (entries, counts, begunAt) = (0, [:], time) }

    package init?(entries: Int, counts text: String, begunAt: Timestamp, endedAt: Timestamp?) {
        guard let members = try? JSONParser.parse(text).asObject() else { return nil }
        self.init(begunAt: begunAt)
        (self.entries, self.endedAt) = (entries, endedAt)
        for member in members.members {
            guard let count = Count(rawValue: member.name), let number = try? member.value.asInteger(Int.self) else {
                return nil
            }
            if number > 0 { counts[count] = number }
        }
    }

    /// All counts by their names, also those that are 0.
    package var members: JSONObject {
        JSONObject(distinct: Count.allCases.map { .init($0.rawValue, .integer(counts[$0] ?? 0)) })
    }

    /// The counts as they are stored.
    package var countsText: String { JSONWriter.text(.object(members)) }

    package mutating func count(_ count: Count) { counts[count, default: 0] += 1 }
}

import CommandSupport
import ServerCore
import ServerPersistence

enum MarkFinding: Hashable, Sendable {
    /// Nothing was served from here: the first start, or the first of a version with marks.
    case first
    /// The database that was served last, or one that several servers share.
    case same
    /// An older state of the database that was served from here until `servedUntil`; its own time is nil without a mark.
    case putBack(from: Timestamp?, servedUntil: Timestamp)
    /// A copy of a database that was served elsewhere until then: files without the mark beside them, or a dump.
    case copied(servedUntil: Timestamp)
    case foreign(servedUntil: Timestamp)
    case unreadable

    /// Compares the marks; `isOnServer` where servers with separate data directories share the database, so that a new
    /// one has no mark yet.
    init(_ stored: DatabaseMark.Stored?, beside content: MarkFile.Content, isOnServer: Bool) {
        self =
            switch (stored, content) {
            case (_, .unreadable): .unreadable
            case (nil, .absent), (nil, .begun): .first
            case (nil, .mark(let beside)): .putBack(from: nil, servedUntil: beside.servedUntil)
            case (let stored?, _) where !stored.isAtHome: .copied(servedUntil: stored.mark.servedUntil)
            case (_?, .begun): .same
            case (let stored?, .absent): isOnServer ? .same : .copied(servedUntil: stored.mark.servedUntil)
            case (let stored?, .mark(let beside)): Self.compared(stored.mark, beside)
            }
    }

    private static func compared(_ stored: DatabaseMark, _ beside: DatabaseMark) -> MarkFinding {
        guard stored.identity == beside.identity else { return .foreign(servedUntil: beside.servedUntil) }
        // The one beside is written last, so that it is never ahead.
        guard stored.servedUntil < beside.servedUntil else { return .same }
        return .putBack(from: stored.servedUntil, servedUntil: beside.servedUntil)
    }

    var isGood: Bool { self == .first || self == .same }

    /// Failure of a start, with what has happened and what helps; nil for a good finding.
    func failure(of database: String, mark file: String) -> CommandFailure? {
        let story: String
        switch self {
        case .first, .same: return nil
        case .putBack(let from?, let until):
            story =
                "the database \(database) was put back: its state is from \(from.iso8601), but it was served until "
                + "\(until.iso8601) (\(file))"
        case .putBack(nil, let until):
            story =
                "the database \(database) has no mark, although one with a mark was served here until "
                + "\(until.iso8601) (\(file)): it was put back from an older copy, or is new"
        case .copied(let until):
            story =
                "the database \(database) is a copy or a restored dump: it was served elsewhere, until \(until.iso8601) "
                + "or later"
        case .foreign(let until):
            story =
                "the database \(database) is not the one that was served here until \(until.iso8601) (\(file))"
        case .unreadable:
            story =
                "the mark \(file), which says what was served here, cannot be read or was changed by another program"
        }
        return .local(
            "databasePutBack",
            story
                + ". An older database does not know which answers and tokens were used or ended since. Put the right "
                + "database back, or run \"signet-server keys replace\", which ends all sessions, tokens and links and "
                + "keeps users and credentials; then start again")
    }
}

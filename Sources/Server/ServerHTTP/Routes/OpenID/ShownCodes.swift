import OpenID
import ServerCore
import Synchronization

/// Links, pictures and digits that pages of this process show, by their ceremonies; in memory only, and bounded.
///
/// What falls out, or was begun by another process, is begun anew by the page that misses it.
final class ShownCodes: Sendable {
    private struct Entries {
        var begun: [CeremonyID: BegunConfirmation] = [:]
        /// Ceremonies in the order in which they came; those that went are skipped.
        var order: [CeremonyID] = []
        var octets = 0
    }

    private let entryLimit: Int
    private let octetLimit: Int
    private let entries = Mutex(Entries())

    init(entryLimit: Int = 20_000, octetLimit: Int = 64 << 20) {
        self.entryLimit = entryLimit
        self.octetLimit = octetLimit
    }

    var count: Int { entries.withLock { $0.begun.count } }

    /// Takes what a page shows, in place of `previous`; the oldest make room.
    func insert(_ begun: BegunConfirmation, insteadOf previous: CeremonyID?) {
        entries.withLock { entries in
            if let previous { Self.remove(previous, from: &entries) }
            entries.begun[begun.id] = begun
            entries.order.append(begun.id)
            entries.octets += Self.size(of: begun)
            var gone = 0
            while entries.begun.count > entryLimit || entries.octets > octetLimit, gone < entries.order.count {
                Self.remove(entries.order[gone], from: &entries)
                gone += 1
            }
            entries.order.removeFirst(gone)
            // Those that were replaced leave their places behind; they are dropped when they are half of all.
            if entries.order.count > 64, entries.order.count > 2 * entries.begun.count {
                let held = entries.begun
                entries.order.removeAll { held[$0] == nil }
            }
        }
    }

    /// Content of a page for a ceremony while it is good; nil afterwards.
    func begun(_ id: CeremonyID, at now: Timestamp) -> BegunConfirmation? {
        entries.withLock { entries in
            guard let begun = entries.begun[id] else { return nil }
            guard begun.expiresAt > now else {
                Self.remove(id, from: &entries)
                return nil
            }
            return begun
        }
    }

    func remove(_ id: CeremonyID) {
        entries.withLock { Self.remove(id, from: &$0) }
    }

    private static func remove(_ id: CeremonyID, from entries: inout Entries) {
        guard let gone = entries.begun.removeValue(forKey: id) else { return }
        entries.octets -= size(of: gone)
    }

    private static func size(of begun: BegunConfirmation) -> Int {
        256 + (begun.link.map { $0.picture.count + $0.text.utf8.count } ?? 0)
    }
}

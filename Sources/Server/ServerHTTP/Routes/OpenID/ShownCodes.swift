import OpenID
import ServerCore
import Synchronization

/// Links, pictures and digits that pages of this process show, by their ceremonies; in memory only, and bounded.
///
/// What falls out, or was begun by another process, is begun anew by the page that misses it.
final class ShownCodes: Sendable {
    private struct Entries {
        var begun: [CeremonyID: (content: BegunConfirmation, round: Int)] = [:]
        /// Ceremonies in the order in which they came; those that went or came anew since are skipped.
        var order: [(id: CeremonyID, round: Int)] = []
        var octets = 0

        func has(_ place: (id: CeremonyID, round: Int)) -> Bool { begun[place.id]?.round == place.round }
    }

    private let entryLimit: Int
    private let octetLimit: Int
    private let entries = Mutex(Entries())

    init(entryLimit: Int = 20_000, octetLimit: Int = 64 << 20) {
        self.entryLimit = entryLimit
        self.octetLimit = octetLimit
    }

    var count: Int { entries.withLock { $0.begun.count } }

    /// Takes what a page shows in a round, in place of `previous`; the oldest make room.
    func insert(_ begun: BegunConfirmation, round: Int, insteadOf previous: CeremonyID?) {
        entries.withLock { entries in
            if let previous { Self.remove(previous, from: &entries) }
            entries.begun[begun.id] = (begun, round)
            entries.order.append((begun.id, round))
            entries.octets += Self.size(of: begun)
            var gone = 0
            while entries.begun.count > entryLimit || entries.octets > octetLimit, gone < entries.order.count {
                let oldest = entries.order[gone]
                if entries.has(oldest) { Self.remove(oldest.id, from: &entries) }
                gone += 1
            }
            entries.order.removeFirst(gone)
            // Those that were replaced leave their places behind; they are dropped when they are half of all.
            if entries.order.count > 64, entries.order.count > 2 * entries.begun.count {
                entries.order = entries.order.filter(entries.has)
            }
        }
    }

    /// Content of a page for a ceremony in its present round while it is good; nil afterwards, and for another round, since
    /// another process has renewed the code then.
    func begun(_ id: CeremonyID, round: Int, at now: Timestamp) -> BegunConfirmation? {
        entries.withLock { entries in
            guard let (begun, shown) = entries.begun[id] else { return nil }
            guard begun.expiresAt > now else {
                Self.remove(id, from: &entries)
                return nil
            }
            return shown == round ? begun : nil
        }
    }

    private static func remove(_ id: CeremonyID, from entries: inout Entries) {
        guard let gone = entries.begun.removeValue(forKey: id) else { return }
        entries.octets -= size(of: gone.content)
    }

    private static func size(of begun: BegunConfirmation) -> Int {
        256 + (begun.link.map { $0.picture.count + $0.text.utf8.count } ?? 0)
    }
}

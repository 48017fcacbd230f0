package import ServerCore

/// Place of a new ceremony among its user's pending ones.
///
/// A user has one pending push. What a stranger has pushed makes room for a push of a system, never the other way round.
/// Links and codes are shown to any visitor, so one of them makes room for another only in the session of the screen it
/// was shown on, and their number is bounded for each initiator: an attacker who begins ceremonies in a user's name at
/// one system calls none of the user's own off, and takes no place of another system (docs/security/threat-model.md,
///
package enum PendingSlot: Sendable, Hashable {
    /// There is room, once these have been called off.
    case free(superseding: [CeremonyID])
    /// There is none before this time.
    case taken(until: Timestamp)

    /// Judges `new` beside the ceremonies of its user that have not ended; at most `limit` links and codes of one initiator
    /// are pending.
    package init(for new: OutOfBandCeremony, among pending: [OutOfBandCeremony], limit: Int) {
        let rivals = pending.filter { $0.isPush == new.isPush && (new.isPush || $0.initiator == new.initiator) }
        let staying = rivals.filter { !new.maySupersede($0) }
        guard staying.count < (new.isPush ? 1 : limit) else {
            let first = staying.map(\.progress.expiresAt).min() ?? new.createdAt
            self = .taken(until: first)
            return
        }
        self = .free(superseding: rivals.filter(new.maySupersede).map(\.id))
    }
}

extension OutOfBandCeremony {
    /// Whether this ceremony may take the place of another one of its user.
    ///
    /// A system that names no sessions replaces its own push, as its windows cannot be distinguished; its links stay
    /// side by side. A client names the browser's session, or the session of its request.
    fileprivate func maySupersede(_ other: OutOfBandCeremony) -> Bool {
        if isPush, isByStranger != other.isByStranger { return !isByStranger }
        guard initiator.maySupersede(other.initiator), session == other.session else { return false }
        guard case .accessKey = initiator, !isPush else { return true }
        return session != nil
    }
}

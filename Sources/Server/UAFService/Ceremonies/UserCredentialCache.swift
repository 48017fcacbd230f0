import ServerCore
import Synchronization

/// Cache of the users that requests for authentications were made for, with their credentials, until the answers come.
///
/// Most answers come within seconds, and to the same process, which then need not read the same rows again. An entry
/// serves one answer, for ``lifetime`` at most; without an entry the process reads the database.
///
/// Nothing is granted by what is cached. The statement that commits judges user, credential, counter and the end of logins
/// by their rows (``EndCeremony``), and names what has changed since. A credential that an answer names and the entry does
/// not know is looked up.
///
/// Users who do not exist have entries like any other: the time that an answer takes does not tell who has an account.
final class UserCredentialCache: Sendable {
    /// Age of a request up to which its entry serves the answer.
    static let lifetime: Duration = .seconds(60)
    /// Entries at most; a new one takes the place of the oldest.
    static let limit = 4_096

    private struct Entries {
        var holders: [CeremonyID: CredentialHolder?] = [:]
        /// Ceremonies in the order of their requests, from `oldest` on; some have been answered.
        var order: [CeremonyID] = []
        var oldest = 0
    }

    private let entries = Mutex(Entries())

    /// Keeps the addressee of a request; nil for a user who does not exist.
    func insert(_ holder: CredentialHolder?, for ceremony: CeremonyID) {
        entries.withLock { entries in
            if entries.order.count < Self.limit {
                entries.order.append(ceremony)
            } else {
                entries.holders[entries.order[entries.oldest]] = nil
                entries.order[entries.oldest] = ceremony
                entries.oldest = (entries.oldest + 1) % Self.limit
            }
            entries.holders.updateValue(holder, forKey: ceremony)
        }
    }

    /// Takes the addressee of the request of a ceremony out; nil when it has to be read.
    func take(for ceremony: CeremonyState, at now: Timestamp) -> CredentialHolder?? {
        guard let holder = entries.withLock({ $0.holders.removeValue(forKey: ceremony.id) }),
            now < ceremony.issuedAt + Self.lifetime
        else { return nil }
        return .some(holder)
    }
}

import Logging
import ServerCore
import UAF
import UAFService

extension AdministrationPeople {
    /// Warns of names with a role that no user has: the next user of such a name would have the role.
    func warnOfStrangers(among services: ServerServices, _ logger: Logger) async {
        var strangers: [String] = []
        for name in names.sorted(by: { $0.text < $1.text }) {
            do throws(ServerError) {
                if try await services.storage.users.user(named: name) == nil { strangers.append(name.text) }
            } catch {
                return
            }
        }
        guard !strangers.isEmpty else { return }
        logger.warning(
            "administration.people names no user", metadata: ["users": "\(strangers.joined(separator: ", "))"])
    }
}

import JOSE
import Octets
import ServerCore
import UAF

/// Users whom requests of CIBA name.
struct BackchannelUsers: Sendable {
    let users: any UserRepository
    let keys: ProviderKeys
    let clock: any WallClock
    let wall: any WallClock

    /// Tokens say the time of their issue in whole seconds.
    private static let rounding: Duration = .seconds(1)

    /// The user that a request names.
    ///
    /// Throws ``OpenIDRefusal/Code/unknownUserID`` for one who does not exist, is locked or has no phone: all three look
    /// the same. An `id_token_hint` may have expired; it has to be signed by this provider for this client, and for this user:
    /// one of a user removed before does not name the next of that name.
    func user(
        of hint: BackchannelFields.Hint, for client: RegisteredClient
    ) async throws(OpenIDRefusal) -> User {
        switch hint {
        case .username(let text):
            guard let name = UserName(text), let user = try await user(named: name), user.name == name else {
                throw OpenIDRefusal(.unknownUserID)
            }
            return user
        case .idToken(let token):
            let (subject, age) = try await subject(of: token, for: client)
            guard let user = try await user(named: subject), user.externalID == subject,
                clock.now() - age + Self.rounding >= user.createdAt
            else {
                throw OpenIDRefusal(.unknownUserID)
            }
            return user
        }
    }

    private func user(named name: UserName) async throws(OpenIDRefusal) -> User? {
        do throws(ServerError) {
            return try await users.user(named: name)
        } catch {
            throw .outage
        }
    }

    private func subject(
        of token: String, for client: RegisteredClient
    ) async throws(OpenIDRefusal) -> (name: UserName, age: Duration) {
        do throws(ServerError) {
            _ = try await keys.publishedKeySet()
        } catch {
            throw .outage
        }
        guard let claims = keys.claims(ofHint: token),
            claims.audience.contains(where: { $0.hasSameOctets(as: client.id.text) }),
            let subject = claims.subject.flatMap({ UserName($0) }), let issuedAt = claims.issuedAt
        else { throw OpenIDRefusal(.invalidRequest, field: "id_token_hint") }
        return (subject, wall.now() - Timestamp(seconds: issuedAt))
    }
}

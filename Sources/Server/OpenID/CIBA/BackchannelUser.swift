import JOSE
import Octets
import ServerCore
import StrictJSON
import UAF

extension BackchannelAuthentication {
    /// The user that a request names.
    ///
    /// Throws ``OpenIDRefusal/Code/unknownUserID`` for one who does not exist, is locked or has no phone: all three look
    /// the same. An `id_token_hint` may have expired; it has to be signed by this provider for this client.
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
            let subject = try await subject(of: token, for: client)
            guard let user = try await user(named: subject), user.externalID == subject else {
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
    ) async throws(OpenIDRefusal) -> UserName {
        let keys: [UInt8]
        do throws(ServerError) {
            keys = try await provider.keySetDocument
        } catch {
            throw .outage
        }
        let document = try? JSONParser.parse(provider.discoveryDocument).asObject()
        guard let set = try? JWKS(json: keys), let jws = try? CompactJWS(parsing: token),
            jws.header.type == nil || jws.header.type?.lowercased().hasSameOctets(as: "jwt") == true,
            let verified = try? jws.verified(by: set), let claims = try? JWTClaims(payload: verified.payload),
            let issuer = try? document?.string("issuer"), claims.issuer?.hasSameOctets(as: issuer) == true,
            claims.audience.contains(where: { $0.hasSameOctets(as: client.id.text) }),
            let subject = claims.subject.flatMap({ UserName($0) })
        else { throw OpenIDRefusal(.invalidRequest, field: "id_token_hint") }
        return subject
    }
}

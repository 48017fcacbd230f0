import ServerCore
import StrictJSON
import UAF

/// Claims about a person that scopes ask for (OpenID Connect Core 1.0, 5.1 and 5.4), in ID tokens and at userinfo.
///
/// An attribute that the user does not have is left out.
struct UserClaims: Sendable {
    let user: User
    let attributes: UserAttributes

    static func read(
        of user: User, for scopes: Set<ScopeName>, in snapshot: any OpenIDSnapshot
    ) throws(ServerTransactionFailure) -> UserClaims {
        let isAsked = !scopes.isDisjoint(with: ScopeName.ofAttributes)
        let record = isAsked ? try snapshot.attributes(of: user.id) : nil
        return UserClaims(user: user, attributes: record?.attributes ?? UserAttributes())
    }

    func members(for scopes: Set<ScopeName>) -> [JSONObject.Member] {
        let names = scopes.reduce(into: Set<UserAttributes.Name>()) { $0.formUnion(Self.names(of: $1)) }
        var claims = attributes.members.members.filter { member in
            UserAttributes.Name(rawValue: member.name).map(names.contains) == true
        }
        if scopes.contains(.profile) {
            claims.append(JSONObject.Member("preferred_username", .string(user.name.text)))
        }
        return claims
    }

    private static func names(of scope: ScopeName) -> Set<UserAttributes.Name> {
        switch scope {
        case .profile: [.name, .givenName, .familyName, .locale]
        case .email: [.email, .emailVerified]
        case .groups: [.groups]
        case .openID, .offlineAccess: []
        }
    }
}

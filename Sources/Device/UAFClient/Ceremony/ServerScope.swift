import Octets
package import UAF

/// Scope of one server: the keys and records of this device that it may reach, and nothing else.
///
/// A scope is all that an operation gets to see of the keys when it carries out what a server asks for. It is made for
/// a server, and is narrowed to an application with ``under(_:)`` and to a user with ``of(_:)``; nothing widens it.
package struct ServerScope: Hashable, Sendable {
    package let server: ServerAddress
    /// The keys, also pending ones, in the order in which they were made.
    package private(set) var keys: [LocalCredential]
    private let foreignAppIDs: Set<AppID>
    private let foreignUsers: Set<UserName>

    /// The keys that the application may know of.
    package var visibleKeys: [LocalCredential] { keys.filter { $0.state != .pending } }

    /// The users who have keys, in the order of their keys.
    package var usernames: [UserName] {
        var seen: Set<UserName> = []
        return keys.map(\.username).filter { seen.insert($0).inserted }
    }

    package func of(_ username: UserName) -> ServerScope {
        filter { $0.username == username }
    }

    /// The keys that were made for one application.
    package func under(_ facet: TrustedFacet) -> ServerScope {
        filter { $0.appID == facet.appID }
    }

    package func isForeign(_ username: UserName) -> Bool { foreignUsers.contains(username) }

    /// Whether the AppID belongs to another server: the one that the first key under it was made for.
    ///
    /// The facet of the application, which stands for an AppID that a server has left out, belongs to none.
    package func isForeign(_ facet: TrustedFacet) -> Bool {
        !facet.appID.text.hasSameOctets(as: facet.facetID.text) && foreignAppIDs.contains(facet.appID)
    }

    /// The keys whose registration was never answered, and that the server nevertheless names for a user.
    ///
    /// None where AppID or user belong to another server.
    package func pending(namedBy policy: Policy, for username: UserName, under facet: TrustedFacet) -> [CredentialID] {
        guard !isForeign(facet), !isForeign(username) else { return [] }
        let criteria = policy.accepted.joined()
        return of(username).under(facet).keys.filter { $0.state == .pending }.map(\.id).filter { key in
            criteria.contains { $0.keyIDs?.contains(key.keyID) == true && $0.aaids?.contains(key.aaid) != false }
        }
    }

    /// The keys that a request takes off the device, in the order in which they were made.
    ///
    /// A key that is named exactly goes, of every user; entries for all keys, or for all of a model, mean the keys of the
    /// user who is deregistered. Without one, because the server has begun the operation, they mean every user.
    package func keysToForget(
        _ request: DeregistrationRequest, by facet: TrustedFacet, for username: UserName?
    ) -> [CredentialID] {
        let held = under(facet).keys
        let reachable = held.filter { key in
            username == nil || key.username == username || request.authenticators.contains(.key(key.id))
        }
        return request.keysToForget(among: reachable.map(\.id))
    }

    private func filter(_ isMeant: (LocalCredential) -> Bool) -> ServerScope {
        var scope = self
        scope.keys = keys.filter(isMeant)
        return scope
    }
}

extension ServerScope {
    /// The keys of a device for all servers; one scope at a time looks into them.
    package struct Keyring: Hashable, Sendable {
        private let credentials: [LocalCredential]

        /// Takes all keys, also pending ones, in the order in which they were made.
        package init(_ credentials: [LocalCredential]) { self.credentials = credentials }

        package func scope(at server: ServerAddress) -> ServerScope {
            var owners: [AppID: ServerAddress] = [:]
            for credential in credentials where owners[credential.appID] == nil {
                owners[credential.appID] = credential.server
            }
            return ServerScope(
                server: server, keys: credentials.filter { $0.server == server },
                foreignAppIDs: Set(owners.filter { $0.value != server }.keys),
                foreignUsers: Set(registrations.filter { $0.server != server }.map(\.username)))
        }

        /// The servers that keys were made for, in the order of the keys.
        package var servers: [ServerAddress] {
            var seen: Set<ServerAddress> = []
            return credentials.map(\.server).filter { seen.insert($0).inserted }
        }

        /// Registered keys as the application may know them, in the order in which they were made.
        package var registrations: [Registration] {
            credentials.filter { $0.state != .pending }.map {
                Registration(
                    aaid: $0.id.aaid, username: $0.username, server: $0.server, isUsable: $0.state == .registered)
            }
        }

        /// Home server of a user: the one that they are registered with, or else the first with a pending key.
        package func home(of username: UserName) -> ServerAddress? {
            let keys = credentials.filter { $0.username == username }
            return (keys.first { $0.state != .pending } ?? keys.first)?.server
        }
    }

    /// A registered key without anything that could name it to an authenticator.
    package struct Registration: Hashable, Sendable {
        package let aaid: AAID
        package let username: UserName
        package let server: ServerAddress
        /// Whether it can still sign.
        package let isUsable: Bool
    }
}

/// Verdict of a server on a UAF response.
package enum ServerVerdict<Authorization: Sendable>: Sendable {
    /// Status 1200, with what the server issued, and the identifier under which it keeps the device of a registration.
    case accepted(Authorization?, target: String? = nil)
    /// Status 1202: later.
    case postponed
    /// Any other status.
    case refused(StatusCode)
    /// An HTTP status that says that the response was not taken.
    case rejected(CeremonyFailure)
    /// No answer that says whether the response was taken.
    case unknown(any Error)
}

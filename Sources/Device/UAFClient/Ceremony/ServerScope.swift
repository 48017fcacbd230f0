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
    private let keyring: Keyring

    /// The keys that the application may know of.
    package var visibleKeys: [LocalCredential] { keys.filter { $0.state != .pending } }

    /// The users who have keys, in the order of their keys.
    package var usernames: [UserName] {
        var seen: Set<UserName> = []
        return keys.map(\.username).filter { seen.insert($0).inserted }
    }

    /// Whether the server has ever announced that it judges the server binding, to any key of it.
    var isBound: Bool { keys.contains(where: \.statesServer) }

    /// Binding of a response to this server and to the exchange in which its request was asked for.
    ///
    /// Nil where neither the request nor an earlier one has announced that the server judges it: other servers get what
    /// the standard has. Nil too for an address whose host is not spelt in ASCII.
    func binding(for header: OperationHeader, in exchange: ServerBinding.ExchangeID?) -> ServerBinding? {
        guard isBound || header.announcesServerBinding else { return nil }
        return ServerBinding(server: server.text, exchange: exchange)
    }

    package func of(_ username: UserName) -> ServerScope {
        filter { $0.username == username }
    }

    /// The keys that were made for one application.
    package func under(_ facet: TrustedFacet) -> ServerScope {
        filter { $0.appID == facet.appID }
    }

    /// Whether the user is registered with another server.
    package func isForeign(_ username: UserName) -> Bool {
        keyring.registered.contains { $0.username == username && $0.server != server }
    }

    /// Whether the AppID belongs to another server.
    ///
    /// The facet of the application, which stands for an AppID that a server has left out, belongs to none.
    package func isForeign(_ facet: TrustedFacet) -> Bool {
        !facet.appID.text.hasSameOctets(as: facet.facetID.text) && keyring.isForeign(facet.appID, to: server)
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
        /// The server of the application's configuration.
        var configured: ConfiguredServer?

        /// Takes all keys, also pending ones, in the order in which they were made.
        package init(_ credentials: [LocalCredential]) { self.credentials = credentials }

        package func scope(at server: ServerAddress) -> ServerScope {
            ServerScope(server: server, keys: credentials.filter { $0.server == server }, keyring: self)
        }

        fileprivate var registered: [LocalCredential] { credentials.filter { $0.state != .pending } }

        /// Whether an AppID belongs to another server than the one that names it.
        ///
        /// It belongs to the server whose origin it has: the configured one, one with registrations here, or the one that
        /// names it. Only where none of them has it, it belongs to the server of the first registered key under it.
        fileprivate func isForeign(_ appID: AppID, to server: ServerAddress) -> Bool {
            var atOrigin: [ServerAddress] = []
            if let origin = ServerBinding.origin(of: appID.text) {
                atOrigin = ([server] + registered.map(\.server)).filter { $0.originText == origin }
                if let configured, configured.origins.contains(origin) { atOrigin.append(configured.address) }
            }
            let first = registered.first {
                $0.appID == appID && (atOrigin.isEmpty || atOrigin.contains($0.server))
            }
            if let first { return first.server != server }
            return !atOrigin.isEmpty && !atOrigin.contains(server)
        }

        /// The servers that keys were made for, in the order of the keys.
        package var servers: [ServerAddress] {
            var seen: Set<ServerAddress> = []
            return credentials.map(\.server).filter { seen.insert($0).inserted }
        }

        /// Registered keys as the application may know them, in the order in which they were made.
        package var registrations: [Registration] {
            registered.map {
                Registration(
                    aaid: $0.id.aaid, username: $0.username, server: $0.server, isUsable: $0.state == .registered)
            }
        }

        /// Home server of a user: the one that they are registered with; without one the configured server, or else the
        /// first, with a pending key.
        package func home(of username: UserName) -> ServerAddress? {
            let keys = credentials.filter { $0.username == username }
            let own = keys.first { $0.state != .pending } ?? keys.first { $0.server == configured?.address }
            return (own ?? keys.first)?.server
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

/// The server of the application's configuration, with the origins at which it is reached.
package struct ConfiguredServer: Hashable, Sendable {
    package let address: ServerAddress
    let origins: Set<String>

    /// Takes the server, and further addresses whose origin stands for the server's.
    package init(_ address: ServerAddress, alsoAt addresses: [ServerAddress] = []) {
        self.address = address
        origins = Set(([address] + addresses).compactMap(\.originText))
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

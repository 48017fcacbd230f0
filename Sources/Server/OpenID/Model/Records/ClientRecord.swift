import Octets
package import ServerCore
import StrictJSON

/// Content of a client of the database as JSON; secrets stand in it as hashes only.
package struct ClientRecord: Sendable {
    package static let byteLimit = 64 * 1024
    private static let limits = JSONLimits(byteCount: byteLimit, depth: 4)

    package let client: RegisteredClient

    package init(_ client: RegisteredClient) { self.client = client }

    /// The text to store; the name of the client is not in it.
    package var text: String { JSONWriter.text(.object(members)) }

    /// Settings that are different in `next`, with both values.
    func changes(to next: ClientRecord) -> [AuditEvent.SettingChange] {
        let (old, new) = (members, next.members)
        return Set((old.members + new.members).map(\.name)).sorted().filter { old[$0] != new[$0] }.map { name in
            let isSecret = name == "authentication"
            return AuditEvent.SettingChange(
                name, from: isSecret ? Self.method(old) : old[name], to: isSecret ? Self.method(new) : new[name])
        }
    }

    private static func method(_ members: JSONObject) -> JSONValue? {
        guard case .object(let proof) = members["authentication"] else { return nil }
        return proof["method"]
    }

    private var members: JSONObject {
        [
            "name": .string(client.name),
            "authentication": .object(Self.members(of: client.authentication)),
            "redirects": Self.texts(client.redirects.map(\.text)),
            "logoutRedirects": Self.texts(client.logoutRedirects.map(\.text)),
            "logoutAddress": client.logoutAddress.map { .string($0.text) },
            "backchannel": client.backchannel.map { .object(Self.members(of: $0)) },
            "idTokenAlgorithm": .string(client.idTokenAlgorithm.rawValue),
            "requiresPKCE": .bool(client.requiresPKCE),
            "requiresKeyProof": .bool(client.requiresKeyProof),
            "requiresPushedRequests": .bool(client.requiresPushedRequests),
            "scopes": .string(ScopeName.text(client.attributeScopes)),
            "mayRefresh": .bool(client.mayRefresh),
            "endsOfflineAccess": .bool(client.endsOfflineAccess),
            "mayAskForConfirmation": .bool(client.mayAskForConfirmation),
            "origins": Self.texts(client.origins),
        ]
    }

    private static func texts(_ texts: [String]) -> JSONValue { .array(texts.map { .string($0) }) }

    private static func members(of authentication: RegisteredClient.Authentication) -> JSONObject {
        switch authentication {
        case .secret(let hash): ["method": .string("secret"), "hash": .string(Base64URL.encode(hash.octets))]
        case .privateKey(.document(let keys)):
            ["method": .string("key"), "keys": .string(Base64URL.encode(keys))]
        case .privateKey(.address(let address)): ["method": .string("key"), "address": .string(address.text)]
        case .none: ["method": .string("none")]
        }
    }

    private static func members(of delivery: RegisteredClient.BackchannelDelivery) -> JSONObject {
        switch delivery {
        case .poll: ["mode": .string("poll")]
        case .ping(let address): ["mode": .string("ping"), "address": .string(address.text)]
        case .push(let address): ["mode": .string("push"), "address": .string(address.text)]
        }
    }
}

extension ClientRecord {
    package init?(stored text: String, id: ClientID) {
        guard let members = try? JSONParser.parse(Array(text.utf8), limits: Self.limits).asObject(),
            let name = try? members.string("name"), let proof = Self.authentication(in: members),
            let algorithm = (try? members.string("idTokenAlgorithm"))
                .flatMap({ RegisteredClient.IDTokenAlgorithm(rawValue: $0) }),
            let redirects = Self.list("redirects", in: members, RedirectAddress.init),
            let logoutRedirects = Self.list("logoutRedirects", in: members, RedirectAddress.init),
            let origins = Self.list("origins", in: members, { $0 })
        else { return nil }
        var client = RegisteredClient(id: id, name: name, authentication: proof)
        client.redirects = redirects
        client.logoutRedirects = logoutRedirects
        client.origins = origins
        client.idTokenAlgorithm = algorithm
        client.logoutAddress = (try? members.optionalString("logoutAddress")).flatMap(OutgoingAddress.init)
        client.backchannel = Self.delivery(in: members)
        client.requiresPKCE = members["requiresPKCE"] == .bool(true)
        client.requiresKeyProof = members["requiresKeyProof"] == .bool(true)
        client.requiresPushedRequests = members["requiresPushedRequests"] == .bool(true)
        // A client of the version before has none until an operator says so.
        client.attributeScopes = (try? members.optionalString("scopes")).flatMap(ScopeName.set(stored:)) ?? []
        client.mayRefresh = members["mayRefresh"] == .bool(true)
        client.endsOfflineAccess = members["endsOfflineAccess"] == .bool(true)
        client.mayAskForConfirmation = members["mayAskForConfirmation"] == .bool(true)
        self.client = client
    }

    private static func list<Value>(
        _ name: String, in members: JSONObject, _ make: (String) -> Value?
    ) -> [Value]? {
        guard case .array(let values) = members[name] else { return nil }
        let made = values.compactMap { value in (try? value.asString()).flatMap(make) }
        return made.count == values.count ? made : nil
    }

    private static func authentication(in members: JSONObject) -> RegisteredClient.Authentication? {
        guard case .object(let proof) = members["authentication"] else { return nil }
        switch proof["method"] {
        case .string("none"): return RegisteredClient.Authentication.none
        case .string("secret"):
            guard let octets = octets("hash", in: proof), let hash = ClientSecretHash(stored: octets) else {
                return nil
            }
            return .secret(hash)
        case .string("key"):
            if let keys = octets("keys", in: proof) { return .privateKey(.document(keys)) }
            guard let address = address(in: proof) else { return nil }
            return .privateKey(.address(address))
        default: return nil
        }
    }

    private static func delivery(in members: JSONObject) -> RegisteredClient.BackchannelDelivery? {
        guard case .object(let delivery) = members["backchannel"] else { return nil }
        switch (delivery["mode"], address(in: delivery)) {
        case (.string("poll"), _): return .poll
        case (.string("ping"), let address?): return .ping(address)
        case (.string("push"), let address?): return .push(address)
        default: return nil
        }
    }

    private static func address(in members: JSONObject) -> OutgoingAddress? {
        guard case .string(let text) = members["address"] else { return nil }
        return OutgoingAddress(text)
    }

    private static func octets(_ name: String, in members: JSONObject) -> [UInt8]? {
        guard case .string(let text) = members[name] else { return nil }
        return try? Base64URL.decode(text)
    }
}

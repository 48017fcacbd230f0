import Octets
import ServerCore
import StrictJSON

/// Export of one realm of Keycloak: its clients, then its users with their passkeys, numbered through from 1.
package final class KeycloakReader: ImportReader {
    /// Clients that every realm has for Keycloak itself.
    private static let ownClients: Set<String> = [
        "account", "account-console", "admin-cli", "broker", "realm-management", "security-admin-console",
    ]
    private static let passkeyTypes: Set<String> = ["webauthn", "webauthn-passwordless"]
    /// Separator of the addresses in an attribute.
    private static let separator = "##"

    private let clients: [JSONValue]
    private let users: [JSONValue]
    private var number = 0

    package init(_ file: [UInt8]) throws(ImportFault) {
        let limits = JSONLimits(byteCount: file.count, depth: 32, elementCount: 10_000_000)
        guard let realm = try? JSONParser.parse(file, limits: limits).asObject(), realm["realm"] != nil else {
            throw ImportFault("is no export of a realm as JSON (kc.sh export --realm NAME --users same_file)")
        }
        clients = Self.list("clients", realm).filter { client in
            guard case .object(let members) = client, let id = members.text("clientId") else { return true }
            return !Self.ownClients.contains(id) && !id.hasSuffix("-realm")
        }
        users = Self.list("users", realm)
    }

    package func next() throws(ImportFault) -> ImportEntry? {
        defer { number += 1 }
        let isClient = number < clients.count
        guard isClient || number < clients.count + users.count else { return nil }
        let json = isClient ? clients[number] : users[number - clients.count]
        guard case .object(let members) = json else { return ImportEntry(number + 1, .fault("is no object")) }
        return ImportEntry(number + 1, isClient ? Self.client(members) : .objects(Self.user(members)))
    }

    private static func list(_ name: String, _ object: JSONObject) -> [JSONValue] {
        if case .array(let values)? = object[name] { values } else { [] }
    }

    private static func time(_ json: JSONValue?) -> JSONValue? {
        (try? json?.asInt64()).map { .string(Timestamp(milliseconds: $0).iso8601) }
    }

    // MARK: - Clients

    private static func client(_ members: JSONObject) -> ImportEntry.Content {
        guard members["protocol"] == nil || members.text("protocol") == "openid-connect" else {
            return .fault("is a client of SAML")
        }
        guard members["enabled"] != .bool(false) else { return .fault("is a client that is switched off") }
        var attributes: JSONObject = [:]
        if case .object(let object)? = members["attributes"] { attributes = object }
        let isPublic = members["publicClient"] == .bool(true)
        let secret = members.text("secret").flatMap { $0.allSatisfy { $0 == "*" } ? nil : $0 }
        let afterLogout = (attributes.text("post.logout.redirect.uris") ?? "").components(of: separator)
            .filter { !["+", "-"].contains($0) }
        return .objects([
            [
                "type": .string("client"), "id": members["clientId"],
                "name": .string(
                    members.text("name").flatMap { $0.isEmpty ? nil : $0 } ?? members.text("clientId") ?? ""),
                "proof": .string(isPublic ? "none" : "secret"), "redirectAddresses": members["redirectUris"],
                "logoutRedirectAddresses": .array(afterLogout.map { .string($0) }),
                "requirePKCE": .bool(attributes.text("pkce.code.challenge.method") == "S256"),
                "secret": isPublic ? nil : secret.map { .string($0) },
            ]
        ])
    }

    // MARK: - Users

    private static func user(_ members: JSONObject) -> [JSONObject] {
        let name = [members.text("firstName"), members.text("lastName")].compactMap { $0 }.joined(separator: " ")
        var attributes: JSONObject = [
            "name": name.isEmpty ? nil : .string(name), "given_name": members["firstName"],
            "family_name": members["lastName"], "email": members["email"],
            "email_verified": members["email"] == nil ? nil : members["emailVerified"],
        ]
        if case .object(let own)? = members["attributes"], let locale = list("locale", own).first {
            attributes.append("locale", locale)
        }
        let groups = list("groups", members).map { group -> JSONValue in
            guard case .string(let path) = group, path.hasPrefix("/") else { return group }
            return .string(String(path.dropFirst()))
        }
        let user: JSONObject = [
            "type": .string("user"), "name": members["username"], "extId": members["id"],
            "state": .string(members["enabled"] == .bool(false) ? "locked" : "active"),
            "createdAt": time(members["createdTimestamp"]), "attributes": .object(attributes),
            "groups": groups.isEmpty ? nil : .array(groups),
        ]
        return [user] + list("credentials", members).compactMap { passkey($0, of: members) }
    }

    /// A passkey; nil for a password and whatever else this server does not take over.
    private static func passkey(_ json: JSONValue, of user: JSONObject) -> JSONObject? {
        guard case .object(let members) = json, let type = members.text("type"), passkeyTypes.contains(type),
            let name = user.text("username")
        else { return nil }
        var data: JSONObject = [:]
        if let text = members.text("credentialData"), case .object(let object)? = try? JSONParser.parse(text) {
            data = object
        }
        let label = members.text("userLabel").flatMap { $0.isEmpty ? nil : $0 }
        return [
            "type": .string("passkey"), "user": .string(name), "id": data["credentialId"],
            "name": .string(label ?? "Passkey"), "publicKey": data["credentialPublicKey"], "model": data["aaguid"],
            "signCounter": data["counter"],
            // Keycloak gives the octets of the identifier's text to authenticators.
            "userHandle": user.text("id").map { .string(Base64URL.encode($0.utf8)) },
            "transports": data["transports"].map(lowercased), "createdAt": time(members["createdDate"]),
        ]
    }

    private static func lowercased(_ json: JSONValue) -> JSONValue {
        guard case .array(let values) = json else { return json }
        return .array(values.map { if case .string(let text) = $0 { .string(text.lowercased()) } else { $0 } })
    }
}

extension JSONObject {
    fileprivate func text(_ name: String) -> String? {
        if case .string(let text)? = self[name] { text } else { nil }
    }
}

extension String {
    /// Parts between separators of two or more characters.
    fileprivate func components(of separator: String) -> [String] { split(separator: separator).map(String.init) }
}

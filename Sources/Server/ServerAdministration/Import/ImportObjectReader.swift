import BackendAPI
import Octets
import OpenID
package import ServerCore
package import StrictJSON
package import UAF
import UAFService

/// Reader of the objects of an import (docs/operate/import.schema.json); it needs no database.
package struct ImportObjectReader: Sendable {
    /// One line: 64 KiB, 6 levels.
    static let limits = JSONLimits(byteCount: 64 * 1_024, depth: 6)

    let metadata: MetadataCatalog
    let appID: String
    let hasPasskeys: Bool
    let audience: String?
    let configured: Set<ClientID>
    let random: any RandomSource
    let now: Timestamp

    init(_ server: OpenIDServer) {
        let services = server.services
        metadata = services.acceptance.current.metadata
        appID = services.settings.uaf.appID.text
        hasPasskeys = server.settings.openID?.passkeys != nil
        audience = services.settings.tokens.audience
        configured = Set(server.settings.openID?.clients.map(\.id) ?? [])
        (random, now) = (services.ports.random, services.ports.clock.now())
    }

    /// A reader for a server with passkeys and without clients of its configuration.
    package init(metadata: MetadataCatalog, appID: AppID, random: any RandomSource, now: Timestamp) {
        (self.metadata, self.appID, self.random, self.now) = (metadata, appID.text, random, now)
        (hasPasskeys, audience, configured) = (true, nil, [])
    }

    package func object(_ line: [UInt8]) throws(ImportFault) -> ImportedObject {
        guard let object = try? JSONParser.parse(line, limits: Self.limits).asObject() else {
            throw ImportFault("is no JSON object in UTF-8 with each member once, of at most 64 KiB")
        }
        return try self.object(object)
    }

    package func object(_ object: JSONObject) throws(ImportFault) -> ImportedObject {
        switch object["type"] {
        case .string("user"): .user(try user(object))
        case .string("device"): .device(try device(object))
        case .string("credential"): try credential(object)
        case .string("passkey"): try passkey(object)
        case .string("client"): try client(object)
        default: throw ImportFault("type has to be user, device, credential, passkey or client")
        }
    }

    // MARK: - People

    private static let nameRule = "1 to 128 visible characters, without blanks at the ends or in a row"

    private func owner(_ members: ImportMembers) throws(ImportFault) -> UserName {
        try members.required("user", "the name or extId of a user") { UserService.name($0) }
    }

    private func user(_ object: JSONObject) throws(ImportFault) -> ImportedUser {
        let members = try ImportMembers(object, ["name", "extId", "state", "createdAt", "attributes", "groups"])
        var changes: [UserAttributes.Name: JSONValue]? = [:]
        if let json = members["attributes"] { changes = (try? json.asObject()).flatMap(UserAttributes.changes) }
        guard var changes else {
            throw ImportFault(
                "attributes has to be an object of "
                    + UserAttributes.Name.allCases.map(\.rawValue).joined(separator: ", "))
        }
        if let groups = members["groups"] { changes[.groups] = groups }
        var attributes = UserAttributes()
        do throws(UserAttributeFault) {
            try attributes.apply(changes)
        } catch {
            throw ImportFault(error.words)
        }
        return ImportedUser(
            name: try members.required("name", Self.nameRule) { UserService.newName($0) },
            externalID: try members.optional("extId", Self.nameRule) { UserService.newName($0) },
            status: try members.optional("state", "active or locked") { User.Status(rawValue: $0) } ?? .active,
            createdAt: try members.time("createdAt", absent: now), changes: changes, attributes: attributes,
            id: UserID(from: random), auditKey: AuditSubjectKey(from: random))
    }

    // MARK: - Phones and keys

    /// Identifier of a phone: as it is where it has the form of this server, else by its hash.
    private static func deviceID<Subject>(_ text: String) -> OpaqueID<Subject>? {
        guard (1...256).contains(text.utf8.count) else { return nil }
        return OpaqueID(text: text) ?? OpaqueID(hashing: text)
    }

    private func requireAppID(_ members: ImportMembers) throws(ImportFault) {
        guard case .string(let text)? = members["appId"], !text.hasSameOctets(as: appID) else { return }
        throw ImportFault("appId is not the AppID of this server (fido-uaf.app-id): its phones would not sign in here")
    }

    private func device(_ object: JSONObject) throws(ImportFault) -> ImportedDevice {
        let members = try ImportMembers(
            object,
            [
                "user", "id", "extId", "deviceId", "name", "dispatcher", "target", "signingKey", "encryptionKey",
                "appId",
                "createdAt",
            ])
        try requireAppID(members)
        let id = try members.required("id", "1 to 256 octets") { $0.isEmpty ? nil : $0 }
        let rule = "1 to 256 octets"
        guard let key = try members.key("signingKey") else { throw ImportFault("signingKey is missing") }
        return ImportedDevice(
            user: try owner(members), id: try members.required("id", rule) { Self.deviceID($0) },
            externalID: try members.optional("extId", rule) { Self.deviceID($0) }
                ?? OpaqueID(hashing: "external \(id)"),
            deviceID: try members.optional("deviceId", "1 to 256 characters") { DeviceID($0) },
            name: try members.required("name", "1 to 128 characters") { DeviceName($0) },
            dispatcher: try members.optional("dispatcher", "1 to 64 octets") {
                (1...64).contains($0.utf8.count) ? DispatcherName(rawValue: $0) : nil
            },
            destination: try members.optional("target", "1 to 4096 octets") { PushDestination($0) },
            signatureKey: key, encryptionKey: try members.key("encryptionKey"),
            createdAt: try members.time("createdAt", absent: now))
    }

    private func credential(_ object: JSONObject) throws(ImportFault) -> ImportedObject {
        let members = try ImportMembers(
            object,
            [
                "user", "aaid", "keyId", "publicKey", "publicKeyFormat", "algorithm", "signCounter",
                "registrationCounter", "authenticatorVersion", "state", "createdAt", "device", "appId",
            ])
        try requireAppID(members)
        let aaid = try members.required("aaid", "an AAID such as F1D0#1001") { AAID($0) }
        guard let keyID = KeyID(try members.octets("keyId")) else { throw ImportFault("keyId has 1 to 2048 octets") }
        let key = EncodedPublicKey(
            format: PublicKeyFormat(rawValue: try members.number("publicKeyFormat")),
            octets: try members.octets("publicKey"))
        let algorithm = AuthenticationAlgorithm(rawValue: try members.number("algorithm"))
        try requireMetadata(aaid, key.format, algorithm)
        let imported = ImportedCredential(
            CredentialID(aaid: aaid, keyID: keyID), key: key, algorithm: algorithm,
            counters: Counters(
                signatures: try members.number("signCounter", absent: 0),
                registrations: try members.number("registrationCounter", absent: 0)),
            registeredAt: try members.time("createdAt", absent: now), as: RegistrationID(from: random))
        guard var credential = imported else { throw ImportFault("publicKey is no key of its format and algorithm") }
        credential.authenticatorVersion = try members.number("authenticatorVersion", absent: 0)
        credential.status = try members.optional("state", "active or disabled") { .init(rawValue: $0) } ?? .active
        return .credential(
            credential, user: try owner(members),
            device: try members.optional("device", "the id of a phone") { Self.deviceID($0) })
    }

    private func requireMetadata(
        _ aaid: AAID, _ format: PublicKeyFormat, _ algorithm: AuthenticationAlgorithm
    ) throws(ImportFault) {
        guard let statement = metadata[aaid] else {
            throw ImportFault("there is no metadata for the aaid (fido-uaf.metadata)")
        }
        let profiles = [statement.signing] + statement.additionalSigningProfiles
        guard profiles.contains(where: { $0.algorithm == algorithm && $0.publicKeyFormat == format }) else {
            throw ImportFault("the metadata of the aaid has other algorithms and key formats")
        }
    }

    private func passkey(_ object: JSONObject) throws(ImportFault) -> ImportedObject {
        guard hasPasskeys else { throw ImportFault("openid.passkeys is off") }
        let members = try ImportMembers(
            object,
            ["user", "id", "name", "publicKey", "model", "signCounter", "transports", "userHandle", "createdAt"])
        let record = ImportedPasskey.Record(
            credential: try members.octets("id"), key: try members.octets("publicKey"),
            model: try members.required("model", "an AAGUID") { $0 },
            signCounter: try members.number("signCounter", absent: 0), transports: try members.texts("transports"),
            handle: members["userHandle"] == nil ? nil : try members.octets("userHandle"))
        let passkey = ImportedPasskey(
            RegistrationID(from: random), record,
            name: try members.required("name", "1 to 128 characters") { DeviceName($0) },
            registeredAt: try members.time("createdAt", absent: now))
        guard let passkey else {
            throw ImportFault(
                "publicKey is no key that this server verifies (COSE_Key), or id, model or userHandle is none")
        }
        return .passkey(passkey, user: try owner(members))
    }

    // MARK: - Web sites

    /// A client by the names of the administration API, and with `secret`, of which only a hash is kept.
    private func client(_ object: JSONObject) throws(ImportFault) -> ImportedObject {
        let names = ClientMembers.names.union(ClientMembers.ofNewClients).union(["secret"])
        let members = try ImportMembers(object, names)
        let secret = try members.optional("secret", "16 to 256 octets") {
            (16...256).contains($0.utf8.count) ? $0 : nil
        }
        let others = object.members.filter { !["secret", "type"].contains($0.name) }
        let client: RegisteredClient
        do throws(AdministrationRefusal) {
            client = try ClientMembers(members: JSONObject(distinct: others))
                .client(Sensitive(secret ?? Base64URL.encode(random.bytes(count: 32))))
        } catch {
            throw ImportFault(error.importWords)
        }
        if let conflict = RegisteredClient.nameConflict(client.id, audience: audience) {
            throw ImportFault("the id \(conflict)")
        }
        guard !configured.contains(client.id) else {
            throw ImportFault("there is a client of this id in the configuration")
        }
        let hasSecret = if case .secret = client.authentication { true } else { false }
        return .client(client, needsSecret: hasSecret && secret == nil)
    }
}

extension AdministrationRefusal {
    /// The refusal of the settings of a client, in words.
    fileprivate var importWords: String {
        switch self {
        case .unfit(let member, let rule): "\(member) \(rule)"
        case .rule(let words): words
        case .malformed(let path): "\(path.joined(separator: ".")) is missing or wrong"
        default: "is no client"
        }
    }
}

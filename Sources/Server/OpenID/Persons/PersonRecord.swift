import BackendAPI
import Octets
package import ServerCore
package import StrictJSON
import UAF
import WebAuthn

/// Everything that is kept of one person.
package struct PersonRecord: Sendable {
    package let userID: UserID
    /// Nil when the account was removed.
    let user: User?
    let attributes: UserAttributesRecord?
    let credentials: [RegisteredCredential]
    let passkeys: [Passkey]
    let operations: [OutOfBandCeremony]
    let sessions: [Session]
    let browserSessions: [BrowserSession]
    let grants: [Grant]
    let history: [HistoryEntry]
    let receipts: [StoredReceipt]
    let recoveryCodes: (count: Int, createdAt: Timestamp)?
    let recovery: Recovery?
    var devices: [DispatchTarget] = []
    var hasPassword = false
    var audit: [AuditEntry] = []
    package internal(set) var exportedAt = Timestamp(milliseconds: 0)
    var erasedAt: Timestamp?

    init(of id: UserID, in snapshot: any OpenIDSnapshot) throws(ServerTransactionFailure) {
        userID = id
        let holder = try snapshot.holder(id)
        user = holder?.user
        attributes = try snapshot.attributes(of: id)
        credentials = holder?.credentials ?? []
        passkeys = try snapshot.passkeys(of: id)
        operations = try snapshot.openOperations(of: id)
        sessions = try snapshot.sessions(of: id)
        browserSessions = try snapshot.browserSessions(of: id)
        grants = try snapshot.grants(of: id)
        history = try snapshot.history(of: id)
        receipts = try snapshot.receipts(of: id)
        recoveryCodes = try snapshot.recoveryCodes(of: id)
        recovery = try snapshot.recovery(of: id)
    }

    /// Part of the record: what it is about, and an entry for each thing that is kept.
    package struct Part: Sendable {
        package enum Name: String, Sendable, CaseIterable {
            case account, devices, credentials, operations, sessions, grants, history, receipts, audit
        }

        package let name: Name
        let entries: [JSONObject]

        /// The entries as names and texts.
        package var rows: [[(name: String, text: String)]] {
            entries.map { entry in
                entry.members.map { member in
                    guard case .string(let text) = member.value else {
                        return (member.name, JSONWriter.text(member.value))
                    }
                    return (member.name, text)
                }
            }
        }
    }

    package var parts: [Part] {
        Part.Name.allCases.map { name in
            switch name {
            case .account: Part(name: name, entries: [account])
            case .devices: Part(name: name, entries: devices.map(\.personal))
            case .credentials: Part(name: name, entries: credentials.map(\.personal) + passkeys.map(\.personal))
            case .operations: Part(name: name, entries: operations.map(\.personal))
            case .sessions: Part(name: name, entries: sessions.map(\.personal) + browserSessions.map(\.personal))
            case .grants: Part(name: name, entries: grants.map(\.personal))
            case .history: Part(name: name, entries: history.map(\.personal))
            case .receipts: Part(name: name, entries: receipts.map(\.personal))
            case .audit: Part(name: name, entries: audit.map(\.personal))
            }
        }
    }

    /// The record as JSON, UTF-8.
    package var json: [UInt8] { JSONWriter.write(.object(members)) }

    /// The account as one object, every other part as an array.
    package var members: JSONObject {
        var members: JSONObject = [
            "exportedAt": .string(exportedAt.iso8601), "userId": .string(userID.text),
            "erasedAt": erasedAt.map { .string($0.iso8601) },
        ]
        for part in parts {
            members.append(
                part.name.rawValue,
                part.name == .account ? .object(account) : .array(part.entries.map { .object($0) }))
        }
        return members
    }

    private var account: JSONObject {
        guard let user else { return ["userId": .string(userID.text)] }
        return [
            "userId": .string(userID.text), "name": .string(user.name.text),
            "externalId": .string(user.externalID.text), "status": .string(user.status.rawValue),
            "createdAt": .string(user.createdAt.iso8601), "enrolledBy": user.owner.map { .string($0.text) },
            "password": .bool(hasPassword), "attributes": attributes.map { .object($0.attributes.members) },
            "attributesChangedAt": attributes.map { .string($0.changedAt.iso8601) },
            "recoveryCodes": recoveryCodes.map { .integer(Int64($0.count)) },
            "recoveryCodesMadeAt": recoveryCodes.map { .string($0.createdAt.iso8601) },
            "recoveryBegunAt": recovery.map { .string($0.begunAt.iso8601) },
            "recoveryOpensAt": recovery.map { .string($0.opensAt.iso8601) },
        ]
    }
}

extension AuditEntry {
    /// Members that say who of the operators did something, and in which words.
    private static let operatorMembers: Set = ["actor", "note"]

    /// The entry as the person gets it.
    var withoutOperator: AuditEntry {
        without { Self.operatorMembers.contains($0) || ($0 == "reason" && kind.hasPrefix("ADMIN_")) }
    }

    fileprivate var personal: JSONObject {
        JSONObject(
            distinct: [JSONObject.Member("record", .string("\(chainID)/\(sequence)"))]
                + event.members.filter { $0.name != "record" })
    }
}

extension DispatchTarget {
    fileprivate var personal: JSONObject {
        var push: String?
        if case .token(let token)? = destination { push = token }
        return [
            "id": .string(id.text), "externalId": .string(externalID.text), "name": .string(name.text),
            "deviceId": deviceID.map { .string($0.text) }, "dispatcher": dispatcher.map { .string($0.rawValue) },
            "pushToken": push.map { .string($0) }, "signatureKey": .string(signatureKey.text),
            "encryptionKey": encryptionKey.map { .string($0.text) }, "createdAt": .string(createdAt.iso8601),
        ]
    }
}

extension RegisteredCredential {
    fileprivate var personal: JSONObject {
        [
            "id": .string(registrationID.text), "aaid": .string(id.aaid.text), "keyId": .string(id.keyID.base64URL),
            "publicKey": .string(Base64URL.encode(publicKey.octets)), "status": .string(status.rawValue),
            "registeredAt": .string(registeredAt.iso8601),
            "lastUsedAt": lastSuccessAt.map { .string($0.iso8601) },
            "signCounter": .integer(Int64(counters.signatures)), "protection": .string(protection.rawValue),
            "device": targetID.map { .string($0.text) },
        ]
    }
}

extension Passkey {
    fileprivate var personal: JSONObject {
        let members: JSONObject = [
            "id": .string(id.text), "kind": .string("passkey"), "name": .string(name.text),
            "credentialId": .string(Base64URL.encode(record.descriptor.id)),
            "publicKey": .string(Base64URL.encode(record.key.octets)),
            "transports": .array(record.descriptor.transports.map { .string($0) }),
            "backedUp": .bool(record.state.isBackedUp), "signCounter": .integer(Int64(signCounter)),
            "registeredAt": .string(registeredAt.iso8601), "lastUsedAt": usedAt.map { .string($0.iso8601) },
        ]
        return JSONObject(distinct: members.members + facts.members)
    }
}

extension OutOfBandCeremony {
    fileprivate var personal: JSONObject {
        [
            "id": .string(id.text), "operation": .string(operation.rawValue), "initiator": .string(initiator.text),
            "createdAt": .string(createdAt.iso8601), "device": targetID.map { .string($0.text) },
            "context": .string(requestContext),
        ]
    }
}

extension Session {
    fileprivate var personal: JSONObject {
        [
            "kind": .string("application"), "method": .string(method.rawValue), "createdAt": .string(createdAt.iso8601),
            "expiresAt": .string(expiresAt.iso8601),
        ]
    }
}

extension BrowserSession {
    fileprivate var personal: JSONObject {
        [
            "kind": .string("browser"), "id": .string(id.text), "assurance": .string(assurance.rawValue),
            "authenticatedAt": .string(authenticatedAt.iso8601), "expiresAt": .string(expiresAt.iso8601),
        ]
    }
}

extension Grant {
    fileprivate var personal: JSONObject {
        [
            "id": .string(id.text), "client": .string(client.text), "scopes": .string(ScopeName.text(scopes)),
            "authenticatedAt": .string(authenticatedAt.iso8601), "createdAt": .string(createdAt.iso8601),
            "expiresAt": .string(expiresAt.iso8601),
        ]
    }
}

extension HistoryEntry {
    fileprivate var personal: JSONObject {
        [
            "at": .string(at.iso8601), "kind": .string(kind.rawValue), "client": client.map { .string($0) },
            "device": device.map { .string($0) },
        ]
    }
}

extension StoredReceipt {
    fileprivate var personal: JSONObject {
        [
            "id": .string(id.text), "confirmedAt": .string(confirmedAt.iso8601), "initiator": .string(initiator.text),
            "record": .string("\(chain)/\(record.sequence)"), "claims": try? JSONParser.parse(claims),
        ]
    }
}

package import BackendAPI
package import ServerCore

/// Operation of the administration API: its method and path, who may ask for it, and what a request has to have.
///
/// The table below is the only place that says so: routes, rights and the test of all of them follow it.
/// `docs/operate/admin-api.yaml` describes the same operations for clients.
package enum AdministrationOperation: String, Sendable, Hashable, CaseIterable {
    case listUsers, addUser, user, changeUser, removeUser, importUsers
    case listDevices, device, changeDevice, removeDevice
    case listCredentials, credential, changeCredential, removeCredential
    case listPasskeys, passkey, removePasskey
    case listSessions, endSessions
    case listOperations, cancelOperation, invite, listHistory
    case listClients, addClient, client, changeClient, removeClient
    case listMessages, message, retryMessage, dropMessage
    case listAudit, auditChains, auditRecords
    case accessKeys, policies, models, rotateKeys, findings

    private struct Row {
        let method: Endpoint.Method
        /// Path below ``AdministrationOperation/root``.
        let path: String
        let roles: Set<AdministrationRole>
        var takes: [MediaType]
        var answers: MediaType
        /// Whether a request has to name the version of the object that it changes.
        let needsVersion: Bool

        init(
            _ method: Endpoint.Method, _ path: String, _ roles: Set<AdministrationRole>, takes: [MediaType] = [],
            answers: MediaType = .json, version needsVersion: Bool = false
        ) {
            (self.method, self.path, self.roles, self.takes) = (method, path, roles, takes)
            (self.answers, self.needsVersion) = (answers, needsVersion)
        }
    }

    private var row: Row {
        switch self {
        case .listUsers: Row(.get, "/users", all)
        case .addUser: Row(.post, "/users", operators, takes: [.json])
        case .user: Row(.get, "/users/{userId}", all)
        case .changeUser: Row(.patch, "/users/{userId}", helpers, takes: [.json], version: true)
        case .removeUser: Row(.delete, "/users/{userId}", operators, version: true)
        case .importUsers: Row(.post, "/imports", operators, takes: [.jsonLines, .csv])
        case .listDevices: Row(.get, "/devices", all)
        case .device: Row(.get, "/devices/{deviceId}", all)
        case .changeDevice: Row(.patch, "/devices/{deviceId}", helpers, takes: [.json], version: true)
        case .removeDevice: Row(.delete, "/devices/{deviceId}", helpers, version: true)
        case .listCredentials: Row(.get, "/credentials", all)
        case .credential: Row(.get, "/credentials/{credentialId}", all)
        case .changeCredential: Row(.patch, "/credentials/{credentialId}", helpers, takes: [.json], version: true)
        case .removeCredential: Row(.delete, "/credentials/{credentialId}", helpers, version: true)
        case .listPasskeys: Row(.get, "/passkeys", all)
        case .passkey: Row(.get, "/passkeys/{passkeyId}", all)
        case .removePasskey: Row(.delete, "/passkeys/{passkeyId}", helpers, version: true)
        case .listSessions: Row(.get, "/sessions", all)
        case .endSessions: Row(.delete, "/sessions", helpers)
        case .listOperations: Row(.get, "/operations", all)
        case .cancelOperation: Row(.delete, "/operations/{operationId}", helpers)
        case .invite: Row(.post, "/invitations", helpers, takes: [.json])
        case .listHistory: Row(.get, "/history", all)
        case .listClients: Row(.get, "/clients", auditors)
        case .addClient: Row(.post, "/clients", operators, takes: [.json])
        case .client: Row(.get, "/clients/{clientId}", auditors)
        case .changeClient: Row(.patch, "/clients/{clientId}", operators, takes: [.json], version: true)
        case .removeClient: Row(.delete, "/clients/{clientId}", operators, version: true)
        case .listMessages: Row(.get, "/messages", auditors)
        case .message: Row(.get, "/messages/{messageId}", auditors)
        case .retryMessage: Row(.patch, "/messages/{messageId}", operators, version: true)
        case .dropMessage: Row(.delete, "/messages/{messageId}", operators, version: true)
        case .listAudit: Row(.get, "/audit", auditors)
        case .auditChains: Row(.get, "/audit-chains", auditors)
        case .auditRecords: Row(.get, "/audit-records", auditors, answers: .jsonLines)
        case .accessKeys: Row(.get, "/access-keys", auditors)
        case .policies: Row(.get, "/policies", auditors)
        case .models: Row(.get, "/models", auditors)
        case .rotateKeys: Row(.post, "/key-rotations", operators)
        case .findings: Row(.get, "/findings", all)
        }
    }

    package static let root = "/admin/v1"

    package var roles: Set<AdministrationRole> { row.roles }
    package var needsVersion: Bool { row.needsVersion }
    /// Whether a request has to say why it is made: each that changes something.
    package var needsReason: Bool { row.method != .get }

    package var endpoint: Endpoint {
        Endpoint(row.method, Self.root + row.path, roots: [""], takes: row.takes, answers: [row.answers])
    }
}

private let all = Set(AdministrationRole.allCases)
private let helpers: Set<AdministrationRole> = [.helpDesk, .operator]
private let auditors: Set<AdministrationRole> = [.auditor, .operator]
private let operators: Set<AdministrationRole> = [.operator]

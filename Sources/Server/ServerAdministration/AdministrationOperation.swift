package import BackendAPI
package import ServerCore

/// Operation of the administration API: its method and path, who may ask for it, and what a request has to have.
///
/// The table below is the only place that says so: routes, rights and the test of all of them follow it.
/// `docs/operate/admin-api.yaml` describes the same operations for clients.
package enum AdministrationOperation: String, Sendable, Hashable, CaseIterable {
    case listUsers, addUser, user, changeUser, removeUser, importUsers
    case setPassword, exportPerson, erasePerson
    case listDevices, device, changeDevice, removeDevice
    case listCredentials, credential, changeCredential, removeCredential
    case listPasskeys, passkey, removePasskey
    case listSessions, endSessions
    case listOperations, dispatch, operation, cancelOperation, invite, listHistory
    case listClients, addClient, client, changeClient, removeClient, resetSecret
    case listMessages, message, retryMessage, dropMessage
    case listAudit, auditChains, auditRecords, auditHeads, verifyAudit, prunableAudit, pruneAudit, forgetSubscriber
    case accessKeys, policies, models, rotateKeys, findings, applicationVersions

    private struct Row: Sendable {
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

    private static let rows: [AdministrationOperation: Row] = [
        .listUsers: Row(.get, "/users", all),
        .addUser: Row(.post, "/users", operators, takes: [.json]),
        .user: Row(.get, "/users/{userId}", all),
        .changeUser: Row(.patch, "/users/{userId}", helpers, takes: [.json], version: true),
        .removeUser: Row(.delete, "/users/{userId}", operators, version: true),
        .importUsers: Row(.post, "/imports", operators, takes: [.jsonLines, .csv]),
        .setPassword: Row(.post, "/passwords/{userId}", operators, takes: [.json]),
        .exportPerson: Row(.get, "/persons/{personId}", operators),
        .erasePerson: Row(.delete, "/persons/{personId}", operators),
        .listDevices: Row(.get, "/devices", all),
        .device: Row(.get, "/devices/{deviceId}", all),
        .changeDevice: Row(.patch, "/devices/{deviceId}", helpers, takes: [.json], version: true),
        .removeDevice: Row(.delete, "/devices/{deviceId}", helpers, version: true),
        .listCredentials: Row(.get, "/credentials", all),
        .credential: Row(.get, "/credentials/{credentialId}", all),
        .changeCredential: Row(.patch, "/credentials/{credentialId}", helpers, takes: [.json], version: true),
        .removeCredential: Row(.delete, "/credentials/{credentialId}", helpers, version: true),
        .listPasskeys: Row(.get, "/passkeys", all),
        .passkey: Row(.get, "/passkeys/{passkeyId}", all),
        .removePasskey: Row(.delete, "/passkeys/{passkeyId}", helpers, version: true),
        .listSessions: Row(.get, "/sessions", all),
        .endSessions: Row(.delete, "/sessions", helpers),
        .listOperations: Row(.get, "/operations", all),
        .dispatch: Row(.post, "/operations", operators, takes: [.json]),
        .operation: Row(.get, "/operations/{operationId}", operators),
        .cancelOperation: Row(.delete, "/operations/{operationId}", helpers),
        .invite: Row(.post, "/invitations", helpers, takes: [.json]),
        .listHistory: Row(.get, "/history", all),
        .listClients: Row(.get, "/clients", auditors),
        .addClient: Row(.post, "/clients", operators, takes: [.json]),
        .client: Row(.get, "/clients/{clientId}", auditors),
        .changeClient: Row(.patch, "/clients/{clientId}", operators, takes: [.json], version: true),
        .removeClient: Row(.delete, "/clients/{clientId}", operators, version: true),
        .resetSecret: Row(.post, "/client-secrets/{clientId}", operators),
        .listMessages: Row(.get, "/messages", auditors),
        .message: Row(.get, "/messages/{messageId}", auditors),
        .retryMessage: Row(.patch, "/messages/{messageId}", operators, version: true),
        .dropMessage: Row(.delete, "/messages/{messageId}", operators, version: true),
        .listAudit: Row(.get, "/audit", auditors),
        .auditChains: Row(.get, "/audit-chains", auditors),
        .auditRecords: Row(.get, "/audit-records", auditors, answers: .jsonLines),
        .auditHeads: Row(.get, "/audit-heads", auditors),
        .verifyAudit: Row(.get, "/audit-verification", auditors),
        .prunableAudit: Row(.get, "/audit-prunings", auditors),
        .pruneAudit: Row(.post, "/audit-prunings", operators, takes: [.json]),
        .forgetSubscriber: Row(.delete, "/audit-subscribers/{subscriber}", operators),
        .accessKeys: Row(.get, "/access-keys", auditors),
        .policies: Row(.get, "/policies", auditors),
        .models: Row(.get, "/models", auditors),
        .rotateKeys: Row(.post, "/key-rotations", operators),
        .findings: Row(.get, "/findings", all),
        .applicationVersions: Row(.get, "/application-versions", all),
    ]

    /// An operation without a row is for no role.
    private var row: Row { Self.rows[self] ?? Row(.get, "/", []) }

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

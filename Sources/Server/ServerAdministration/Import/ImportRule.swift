import BackendAPI
import OpenID
import ServerCore
import UAF
import UAFService

/// Rule by which objects of a file are taken over: what is here stays as it is, the same or not.
struct ImportRule {
    enum Result {
        case added(ImportProgress.Count, note: String? = nil)
        case present
        case bad(String)
    }

    let now: Timestamp
    let transaction: any OpenIDTransaction
    /// User of the last object; objects of one user mostly follow each other.
    private var last: (name: UserName, user: User)?

    init(in transaction: any OpenIDTransaction, at now: Timestamp) { (self.transaction, self.now) = (transaction, now) }

    mutating func take(_ object: ImportedObject) throws(ServerTransactionFailure) -> Result {
        switch object {
        case .user(let user): try take(user)
        case .device(let device): try take(device)
        case .credential(let credential, let user, let device): try take(credential, of: user, on: device)
        case .passkey(let passkey, let user): try take(passkey, of: user)
        case .client(let client, let needsSecret): try take(client, needsSecret: needsSecret)
        }
    }

    private static let noUser = Result.bad("there is no such user: users stand before what belongs to them")

    private mutating func owner(_ name: UserName) throws(ServerTransactionFailure) -> User? {
        if let last, last.name == name { return last.user }
        let user = try transaction.user(named: name)
        last = user.map { (name, $0) }
        return user
    }

    // MARK: - People and phones

    private mutating func take(_ imported: ImportedUser) throws(ServerTransactionFailure) -> Result {
        guard let external = imported.externalID ?? UserName(imported.id.text) else { return .bad("extId is missing") }
        let user = User(
            id: imported.id, name: imported.name, externalID: external, status: imported.status,
            createdAt: imported.createdAt, auditKey: imported.auditKey)
        // Two accounts of the other server may have names that look alike.
        guard try transaction.insert(user, mayBeAlike: true) == .added else { return try compare(imported) }
        if imported.attributes != UserAttributes() {
            try transaction.set(UserAttributesRecord(imported.attributes, changedAt: now), of: user.id)
        }
        last = (user.name, user)
        return .added(.users)
    }

    private func compare(_ imported: ImportedUser) throws(ServerTransactionFailure) -> Result {
        guard let known = try transaction.user(named: imported.name), known.name == imported.name,
            imported.externalID.map({ $0 == known.externalID }) ?? true
        else { return .bad("name or extId is the one of another user") }
        let attributes = try transaction.attributes(of: known.id)?.attributes ?? UserAttributes()
        var changed = attributes
        try? changed.apply(imported.changes)
        return changed == attributes ? .present : .bad("the user is here with other attributes")
    }

    private mutating func take(_ device: ImportedDevice) throws(ServerTransactionFailure) -> Result {
        guard let owner = try owner(device.user) else { return Self.noUser }
        if let known = try transaction.target(device.id) {
            let isSame =
                known.user.id == owner.id && known.target.signatureKey == device.signatureKey
                && known.target.deviceID == device.deviceID
            return isSame ? .present : .bad("there is another phone of this id")
        }
        guard try transaction.target(externalID: device.externalID) == nil else {
            return .bad("there is another phone of this extId")
        }
        guard try transaction.target(named: device.name, of: owner.id) == nil else {
            return .bad("the user has another phone of this name")
        }
        try transaction.insert(device.target(of: owner.id))
        return .added(.devices)
    }

    // MARK: - Keys

    private mutating func take(
        _ credential: ImportedCredential, of user: UserName, on device: DispatchTargetID?
    ) throws(ServerTransactionFailure) -> Result {
        guard let owner = try owner(user) else { return Self.noUser }
        if let device {
            guard try transaction.target(device)?.user.id == owner.id else {
                return .bad("the user has no such phone: phones stand before their keys")
            }
        }
        if try transaction.insert(VerifiedCredential(credential, of: owner.id, on: device)) {
            return .added(.credentials)
        }
        let known = try transaction.credential(credential.id)
        let isSame =
            known?.userID == owner.id && known?.publicKey == credential.publicKey
            && known?.algorithm == credential.algorithm
        return isSame ? .present : .bad("aaid and keyId are here with another key, or of another user")
    }

    private mutating func take(
        _ passkey: ImportedPasskey, of user: UserName
    ) throws(ServerTransactionFailure) -> Result {
        guard let owner = try owner(user) else { return Self.noUser }
        if try transaction.insert(passkey.passkey(of: owner.id)) { return .added(.passkeys) }
        let known = try transaction.passkey(credential: passkey.credential)
        return known?.isSame(as: passkey, of: owner.id) == true
            ? .present : .bad("the id is here with another key, or of another user")
    }

    // MARK: - Web sites

    private func take(
        _ client: RegisteredClient, needsSecret: Bool
    ) throws(ServerTransactionFailure) -> Result {
        try transaction.lockClients()
        if try transaction.insert(client, at: now) {
            let note = "client \(client.id.text) has no known secret: give it one (signet-server client reset-secret)"
            return .added(.clients, note: needsSecret ? note : nil)
        }
        let known = try transaction.clients().first { $0.client.id == client.id }?.client
        var same = client
        if case .secret? = known?.authentication, case .secret = client.authentication, let known {
            same.authentication = known.authentication
        }
        return known == same ? .present : .bad("there is another client of this id")
    }
}

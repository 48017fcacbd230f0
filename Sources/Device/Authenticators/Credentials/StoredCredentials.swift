package import HardwareKeys
import Octets
package import UAF

/// Stored state of all authenticators of the device, written as a whole.
package struct StoredCredentials: Hashable, Sendable {
    /// The most credentials a store takes, together with the keys that are yet to be destroyed.
    package static let countLimit = 256
    package static let deviceInformationByteLimit = 16_384

    /// Serialised device information kept for the SDK; removed with the last credential.
    package private(set) var deviceInformation: [UInt8]?
    let installation: InstallationToken
    private(set) var entries: [CredentialRecord]
    /// Keys of credentials whose records are damaged: they stay as they are, and their servers keep their keys.
    package private(set) var lost: [KeyReference] = []
    private(set) var unfinished: [UnfinishedKey]
    private(set) var servers: [StoredServerKeys]
    /// Accounts whose last key was deleted here only, oldest first; with none of them a server needs no keys of this
    /// installation.
    package private(set) var departed: [DepartedAccount]

    /// Every credential, also pending and unusable ones, in order of registration.
    package var credentials: [Credential] { entries.map(\.credential) }

    init(
        installation: InstallationToken, deviceInformation: [UInt8]? = nil, entries: [CredentialRecord] = [],
        unfinished: [UnfinishedKey] = [], servers: [StoredServerKeys] = [], departed: [DepartedAccount] = []
    ) {
        self.departed = departed
        self.installation = installation
        self.servers = servers
        self.deviceInformation = deviceInformation
        self.entries = entries
        self.unfinished = unfinished
    }

    package func credential(_ id: CredentialID) -> Credential? { stored(id)?.credential }

    /// Remembers what the SDK knows about the device; more than ``deviceInformationByteLimit`` is a mistake of ours.
    package mutating func remember(deviceInformation: [UInt8]) {
        precondition(deviceInformation.count <= Self.deviceInformationByteLimit)
        self.deviceInformation = deviceInformation
    }

    /// The server accepted a pending credential, or named one in a policy: it counts from now on.
    ///
    /// Others of the same owner and model are gone: the account has one key per authenticator. A credential that is
    /// unusable or unknown is left as it is.
    package mutating func promote(_ id: CredentialID) {
        guard let promoted = credential(id), promoted.state != .unusable else { return }
        remove { $0.id != id && $0.owner == promoted.owner && $0.id.aaid == id.aaid }
        change(id) { $0.credential.state = .active }
    }

    /// A key that can never sign again stays visible until it is deleted.
    package mutating func markUnusable(_ id: CredentialID) {
        change(id) { $0.credential.state = .unusable }
    }

    /// Removes a credential; one that is not there counts as removed.
    package mutating func delete(_ id: CredentialID) {
        delete(where: { $0.id == id })
    }

    /// Removes every credential that `condition` picks; with the last one the device information goes too.
    package mutating func delete(where condition: (Credential) -> Bool) {
        remove(where: condition)
        if lost.isEmpty, entries.allSatisfy({ $0.credential.state == .pending }) { deviceInformation = nil }
    }

    /// Remembers that a server has not been told of what was deleted here; it takes the place of what was remembered of
    /// the same owner.
    package mutating func remember(departed account: DepartedAccount) {
        departed.removeAll { $0.owner == account.owner }
        departed.append(account)
        departed.removeFirst(max(0, departed.count - DepartedAccount.countLimit))
    }

    /// The server knows, or has nothing left of the account: the keys for a server without any other go too.
    package mutating func forgetDeparted(where condition: (DepartedAccount) -> Bool) {
        departed.removeAll(where: condition)
        removeServersWithoutCredentials()
    }

    func stored(_ id: CredentialID) -> CredentialRecord? {
        entries.first { $0.credential.id == id }
    }

    mutating func adopt(_ entry: CredentialRecord) { entries.append(entry) }

    mutating func lose(_ key: KeyReference) { lost.append(key) }

    /// Gives up the credentials whose records are damaged: their keys are to be destroyed, and no server is told.
    package mutating func giveUpLost() {
        unfinished += lost.map { UnfinishedKey(key: $0, stage: .removed) }
        lost = []
        delete { _ in false }
    }

    mutating func replace(_ entry: CredentialRecord) {
        change(entry.credential.id) { $0 = entry }
    }

    // MARK: - Keys

    /// Writes a key down that is about to be made.
    ///
    /// Throws ``AuthenticatorError/storeFull``.
    mutating func begin(_ key: KeyReference) throws(AuthenticatorError) {
        guard entries.count + lost.count + unfinished.count + 2 * servers.count < Self.countLimit else {
            throw .storeFull
        }
        unfinished.append(UnfinishedKey(key: key, stage: .making))
    }

    /// Takes a credential in whose key was made.
    ///
    /// Throws ``AuthenticatorError/keyDisappearedPermanently`` when the key was given up meanwhile.
    mutating func insert(_ entry: CredentialRecord) throws(AuthenticatorError) {
        guard let index = unfinished.firstIndex(of: UnfinishedKey(key: entry.key, stage: .making)) else {
            throw .keyDisappearedPermanently
        }
        unfinished.remove(at: index)
        entries.append(entry)
    }

    /// Gives up keys that are being made: they are to be destroyed.
    mutating func giveUp(where condition: (KeyReference) -> Bool) {
        for index in unfinished.indices where condition(unfinished[index].key) { unfinished[index].stage = .removed }
    }

    mutating func forget(_ key: KeyReference) {
        unfinished.removeAll { $0 == UnfinishedKey(key: key, stage: .removed) }
    }

    private mutating func remove(where condition: (Credential) -> Bool) {
        let gone = entries.filter { condition($0.credential) }
        unfinished += gone.map { UnfinishedKey(key: $0.key, stage: .removed) }
        entries.removeAll { condition($0.credential) }
        removeServersWithoutCredentials()
    }

    private mutating func change(_ id: CredentialID, _ body: (inout CredentialRecord) -> Void) {
        guard let index = entries.firstIndex(where: { $0.credential.id == id }) else { return }
        body(&entries[index])
    }

    // MARK: - Servers

    package var deviceKeys: [(server: String, publicKeys: DevicePublicKeys)] {
        servers.map { ($0.server, $0.publicKeys) }
    }

    /// The keys for a server, by the exact spelling of its address.
    func serverKeys(of server: String) -> StoredServerKeys? {
        servers.first { $0.server.hasSameOctets(as: server) }
    }

    /// Takes in the keys for a server, or gives those that another task made first; the others are given up.
    ///
    /// Throws ``AuthenticatorError/keyDisappearedPermanently`` when the keys were given up meanwhile.
    mutating func insert(_ keys: StoredServerKeys) throws(AuthenticatorError) -> StoredServerKeys {
        let made = [keys.signing, keys.agreement].map { UnfinishedKey(key: $0, stage: .making) }
        guard made.allSatisfy(unfinished.contains) else { throw .keyDisappearedPermanently }
        if let present = serverKeys(of: keys.server) {
            giveUp { $0 == keys.signing || $0 == keys.agreement }
            return present
        }
        unfinished.removeAll(where: made.contains)
        servers.append(keys)
        return keys
    }

    /// A server without any credential, also a pending one, that has been told of every deletion needs no keys of this
    /// installation.
    private mutating func removeServersWithoutCredentials() {
        guard lost.isEmpty else { return }
        let gone = servers.filter { keys in
            !entries.contains { $0.credential.owner.server.hasSameOctets(as: keys.server) }
                && !departed.contains { $0.owner.server.hasSameOctets(as: keys.server) }
        }
        unfinished += gone.flatMap { [$0.signing, $0.agreement] }.map { UnfinishedKey(key: $0, stage: .removed) }
        servers.removeAll(where: gone.contains)
    }
}

package import UAF

/// Everything the device remembers, as one value that is stored as a whole.
package struct StoredCredentials: Hashable, Sendable {
    /// The most credentials a store takes.
    package static let countLimit = 256
    /// The most bytes of ``deviceInformation``.
    package static let deviceInformationByteLimit = 16_384

    /// What the SDK remembers about the device; it goes with the last credential.
    package private(set) var deviceInformation: [UInt8]?
    let installation: InstallationToken
    private(set) var entries: [StoredCredential]

    /// Every credential, also pending and unusable ones, in order of registration.
    package var credentials: [Credential] { entries.map(\.credential) }

    init(
        installation: InstallationToken, deviceInformation: [UInt8]? = nil, entries: [StoredCredential] = []
    ) {
        self.installation = installation
        self.deviceInformation = deviceInformation
        self.entries = entries
    }

    /// The credential of that name.
    package func credential(_ id: CredentialID) -> Credential? {
        stored(id)?.credential
    }

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
        entries.removeAll {
            $0.credential.id != id && $0.credential.owner == promoted.owner && $0.credential.id.aaid == id.aaid
        }
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
        entries.removeAll { condition($0.credential) }
        if entries.allSatisfy({ $0.credential.state == .pending }) { deviceInformation = nil }
    }

    func stored(_ id: CredentialID) -> StoredCredential? {
        entries.first { $0.credential.id == id }
    }

    mutating func insert(_ entry: StoredCredential) {
        entries.append(entry)
    }

    mutating func replace(_ entry: StoredCredential) {
        change(entry.credential.id) { $0 = entry }
    }

    private mutating func change(_ id: CredentialID, _ body: (inout StoredCredential) -> Void) {
        guard let index = entries.firstIndex(where: { $0.credential.id == id }) else { return }
        body(&entries[index])
    }
}

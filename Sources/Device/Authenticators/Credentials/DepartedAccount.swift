import Octets
package import UAF

/// Account whose last key was deleted on this device only: its server has not been told yet.
///
/// While it is remembered the keys of this installation for that server stay, because they sign what tells the server.
package struct DepartedAccount: Hashable, Sendable {
    /// Limit of the accounts kept; beyond it the oldest are dropped.
    static let countLimit = 16
    /// The most bytes of an identifier that is worth remembering.
    private static let byteLimit = 1024

    /// The user, and the server as its credentials spelled it.
    package let owner: CredentialOwner
    /// The identifier of this installation, as the server knows it.
    package let deviceID: String
    /// The identifier under which the server keeps the record of this installation for the user.
    package let recordID: String
    /// The keys that were deleted.
    package let credentials: [CredentialID]

    /// Names an account; nil for identifiers that are too long to be remembered.
    package init?(owner: CredentialOwner, deviceID: String, recordID: String, credentials: [CredentialID]) {
        let longest = max(owner.server.utf8.count, deviceID.utf8.count, recordID.utf8.count)
        guard longest <= Self.byteLimit, credentials.count <= StoredCredentials.countLimit else { return nil }
        self.owner = owner
        self.deviceID = deviceID
        self.recordID = recordID
        self.credentials = credentials
    }

    package static func == (one: DepartedAccount, other: DepartedAccount) -> Bool {
        one.owner == other.owner && one.deviceID.hasSameOctets(as: other.deviceID)
            && one.recordID.hasSameOctets(as: other.recordID) && one.credentials == other.credentials
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(owner) }
}

extension DepartedAccount {
    /// Appends the number of accounts; of each its texts with their lengths, and its keys with their number.
    static func write(_ accounts: [DepartedAccount], to writer: inout OctetWriter) {
        writer.writeUInt32LittleEndian(UInt32(accounts.count))
        for account in accounts {
            for text in [account.owner.user.text, account.owner.server, account.deviceID, account.recordID] {
                writer.writeCounted(Array(text.utf8))
            }
            writer.writeUInt32LittleEndian(UInt32(account.credentials.count))
            for id in account.credentials {
                writer.writeCounted(Array(id.aaid.text.utf8))
                writer.writeCounted(id.keyID.octets)
            }
        }
    }

    static func read(from reader: inout OctetReader) throws -> [DepartedAccount] {
        let count = try reader.readUInt32LittleEndian()
        guard count <= countLimit else { throw CredentialStoreError.damaged }
        var accounts: [DepartedAccount] = []
        for _ in 0..<count {
            let user = UserName(try text(&reader))
            let (server, deviceID, recordID) = (try text(&reader), try text(&reader), try text(&reader))
            let credentials = try credentials(&reader)
            guard let user,
                let account = DepartedAccount(
                    owner: CredentialOwner(user: user, server: server), deviceID: deviceID, recordID: recordID,
                    credentials: credentials)
            else { throw CredentialStoreError.damaged }
            accounts.append(account)
        }
        return accounts
    }

    private static func credentials(_ reader: inout OctetReader) throws -> [CredentialID] {
        let count = try reader.readUInt32LittleEndian()
        guard count <= StoredCredentials.countLimit else { throw CredentialStoreError.damaged }
        var ids: [CredentialID] = []
        for _ in 0..<count {
            guard let aaid = AAID(try text(&reader)), let keyID = KeyID(try reader.readCounted()) else {
                throw CredentialStoreError.damaged
            }
            ids.append(CredentialID(aaid: aaid, keyID: keyID))
        }
        return ids
    }

    private static func text(_ reader: inout OctetReader) throws -> String {
        guard let text = String(validUTF8: try reader.readCounted()) else {
            throw CredentialStoreError.damaged
        }
        return text
    }
}

import HardwareKeys
import Octets
import SecureStorage
import TestSupport
import Testing
import UAF

@testable import Authenticators

@Suite("The storage of the credential store")
struct CredentialStorageTests {
    private static let path = "store/credentials.sst"

    @Test("What was stored is there after opening again, and not under another vault")
    func roundTrip() async throws {
        let device = try await TestDevice()
        let credential = try await device.enroll("482913")
        let other = try await device.enroll("482913", user: "john")
        try await device.store.update { $0.remember(deviceInformation: [1, 2, 3]) }
        let contents = try await device.reopened().store.contents()
        #expect(contents == (try await device.store.contents()))
        #expect(contents.credentials.map(\.id) == [credential.id, other.id])
        #expect(contents.deviceInformation == [1, 2, 3])
        try await device.store.update { $0.delete(credential.id) }
        #expect(try await device.reopened().store.contents().credentials.map(\.id) == [other.id])
        let foreign = try await SoftwareKeyVault.create(inDirectory: device.folder.path + "/other")
        await #expect(throws: CredentialStoreError.vault(.unrecoverable)) {
            try await SecureStorageCredentialStore.open(
                inDirectory: device.folder.path + "/store", sealedBy: foreign)
        }
    }

    @Test("That a signature has stated the server is kept with its key; a record from before says no, in the same form")
    func statedServer() async throws {
        let device = try await TestDevice()
        let fresh = try await device.enroll("482913", user: "john", stating: "https://example.com")
        let credential = try await device.enroll("482913")
        var old = try #require(try await device.store.contents().stored(credential.id))
        #expect(fresh.statesServer && !old.credential.statesServer)
        for server in [nil, "https://example.com", nil] {
            _ = try await device.sign(credential, "482913", stating: server)
        }
        let kept = try #require(try await device.reopened().store.contents().stored(credential.id))
        #expect(kept.credential.statesServer)
        old.protection = kept.protection
        let (before, after) = (octets(of: old), octets(of: kept))
        #expect(before.count == after.count && zip(before, after).count { $0 != $1 } == 1)
        var reader = OctetReader(before)
        #expect(try CredentialRecord(from: &reader) == old)
    }

    private func octets(of record: CredentialRecord) -> [UInt8] {
        var writer = OctetWriter()
        record.write(to: &writer)
        return writer.bytes
    }

    @Test("Two stores that are open at once see each other's changes")
    func sharing() async throws {
        let device = try await TestDevice()
        let other = try await device.reopened()
        let credential = try await device.enroll("482913")
        #expect(try await other.store.contents().credentials.map(\.id) == [credential.id])
        try await other.store.update { $0.delete(credential.id) }
        #expect(try await device.store.contents().credentials.isEmpty)
    }

    @Test("N-M1b: a byte changed, one in eleven tried, costs at most the account that it is in, and the file stays")
    func changed() async throws {
        let device = try await TestDevice()
        let first = try await device.enroll("482913")
        let second = try await device.enroll("482913", user: "john")
        let good = try device.folder.bytes(of: Self.path)
        var lost: Set<[CredentialID]> = []
        for index in stride(from: 0, to: good.count, by: 11) {
            var bad = good
            bad[index] ^= 1 << UInt8(index % 8)
            try device.folder.overwrite(Self.path, with: bad)
            let found = try await device.openStore().contents()
            lost.insert(found.credentials.map(\.id))
            #expect(found.credentials.count + found.lost.count == 2)
            #expect(try device.folder.bytes(of: Self.path) == bad)
        }
        #expect(lost == [[first.id, second.id], [first.id], [second.id]])
    }

    @Test("N-M1b: one damaged account ends no other: they sign in and are written on, and it is given up when told so")
    func damagedAccount() async throws {
        let device = try await TestDevice()
        _ = try await device.enroll("482913")
        let kept = try await device.enroll("482913", user: "john")
        let good = try device.folder.bytes(of: Self.path)
        // The record of the one account, found by where a changed byte damages it.
        var gone: KeyReference?
        for index in stride(from: 300, to: good.count, by: 40) where gone == nil {
            var bad = good
            bad[index] ^= 1
            try device.folder.overwrite(Self.path, with: bad)
            let found = try await device.openStore().contents()
            if found.credentials.map(\.id) == [kept.id] { gone = found.lost.first }
        }
        let key = try #require(gone)
        let reopened = try await device.openStore()
        // Through two compactions: 16 KiB of log are some dozen commits.
        for round in 0..<60 {
            try await reopened.update { $0.remember(deviceInformation: [UInt8](repeating: UInt8(round), count: 400)) }
        }
        let contents = try await device.openStore().contents()
        #expect(contents.credentials.map(\.id) == [kept.id] && contents.lost == [key])
        #expect(contents.deviceInformation?.first == 59)
        try await reopened.update { $0.giveUpLost() }
        let after = try await device.openStore().contents()
        #expect(after.credentials.map(\.id) == [kept.id] && after.lost.isEmpty)
        _ = try await device.reopened()
        await #expect(throws: KeyVaultError.unknownKey) { try await device.vault.publicKey(of: key) }
    }

    @Test("A file cut, at one length in seven, is refused by who knows what it was, and is not written over")
    func cut() async throws {
        let device = try await TestDevice()
        _ = try await device.enroll("482913")
        let good = try device.folder.bytes(of: Self.path)
        // The last commit holds without its second half and its receipt.
        for bad in stride(from: 0, to: good.count - 500, by: 7).map({ Array(good.prefix($0)) }) {
            try device.folder.overwrite(Self.path, with: bad)
            do {
                try await device.store.update { $0.delete { _ in true } }
                Issue.record("\(bad.count) bytes of \(good.count)")
            } catch {
                #expect(error == .damaged || error == .rolledBack, "\(bad.count) bytes")
            }
            #expect(try device.folder.bytes(of: Self.path) == bad)
        }
    }

    @Test("A storage that vouches for a wrong record is refused")
    func wrongRecords() async throws {
        let device = try await TestDevice()
        _ = try await device.enroll("482913")
        var configuration = SecureStorage.Configuration(
            hardware: .none, vault: device.vault, directory: device.folder.path + "/store")
        configuration.migrateOnLoad = true
        let storage = try await SecureStorage.createSecureStorage(
            fileName: "credentials", fingerprint: nil, configuration: configuration)
        let names = try storage.names()
        let record = try storage.getBytes(forKey: "device")
        let credential = try #require(names.first { $0 != "device" })
        let value = try storage.getBytes(forKey: credential)
        let changes: [(SecureStorage) throws -> Void] = [
            { try $0.putString("text", forKey: "device") },
            { try $0.putBytes(record + [0], forKey: "device") },
            { try $0.putBytes(record.dropLast(), forKey: "device") },
            { try $0.remove(forKey: "device") },
            { try $0.remove(forKey: credential) },
            { try $0.putBytes(value, forKey: "more") },
            { try $0.putBytes(value + [0], forKey: credential) },
            { try $0.putBytes(value.dropLast(), forKey: credential) },
        ]
        for change in changes {
            try await storage.reload()
            try change(storage)
            try await storage.write()
            await #expect(throws: CredentialStoreError.damaged) { try await device.store.contents() }
            await #expect(throws: CredentialStoreError.damaged) { try await device.store.update { _ in } }
            try storage.clear()
            try storage.putBytes(record, forKey: "device")
            try storage.putBytes(value, forKey: credential)
            try await storage.write()
            #expect(try await device.store.contents().credentials.count == 1)
        }
    }

    @Test("A newer version is refused by its number")
    func newerVersion() async throws {
        let device = try await TestDevice()
        var file = try device.folder.bytes(of: Self.path)
        // The first eight bytes stand at the beginning and behind the values.
        let magic = Array(file.prefix(8))
        for start in file.indices where file[start...].starts(with: magic) { file[start + 8] = 9 }
        try device.folder.overwrite(Self.path, with: file)
        await #expect(throws: CredentialStoreError.newerFormat(version: 9)) { try await device.store.contents() }
        await #expect(throws: CredentialStoreError.newerFormat(version: 9)) { try await device.openStore() }
    }

    @Test("A file or folder that others may enter is refused")
    func exposed() async throws {
        let device = try await TestDevice()
        try device.folder.setPermissions(0o644, of: Self.path)
        await #expect(throws: CredentialStoreError.exposed) { try await device.store.contents() }
        try device.folder.setPermissions(0o600, of: Self.path)
        try device.folder.setPermissions(0o755, of: "store")
        await #expect(throws: CredentialStoreError.exposed) { try await device.openStore() }
    }

    @Test("A file that is gone is a loss that is named, and no reason to begin anew under a running device")
    func removed() async throws {
        let device = try await TestDevice()
        try PosixFileSystem().remove(device.folder.path + "/" + Self.path)
        await #expect(throws: CredentialStoreError.damaged) { try await device.store.contents() }
        await #expect(throws: CredentialStoreError.damaged) {
            try await device.store.update { $0.remember(deviceInformation: [1]) }
        }
    }

    @Test("A change that changes nothing writes nothing, and one of a credential writes that one anew")
    func economy() async throws {
        let device = try await TestDevice()
        let credential = try await device.enroll("482913")
        _ = try await device.enroll("482913", user: "john")
        let before = try device.folder.bytes(of: Self.path)
        try await device.store.update { _ in }
        #expect(try device.folder.bytes(of: Self.path) == before)
        try await device.store.update { $0.markUnusable(credential.id) }
        let after = try device.folder.bytes(of: Self.path)
        #expect(after != before)
        let storage = try SecureStorage.inspect(
            fileName: "credentials",
            configuration: .init(hardware: .none, directory: device.folder.path + "/store"))
        #expect(storage.entryCount == 4 && storage.names == nil)
    }

    @Test("STO-1: at any crash the store holds the old or the new state", arguments: FaultyFileSystem.Moment.allCases)
    func crash(moment: FaultyFileSystem.Moment) async throws {
        let device = try await TestDevice()
        let old = [UInt8](repeating: 1, count: 100)
        let new = [UInt8](repeating: 2, count: 5_000)
        var operation = 0
        while true {
            try await device.store.update { $0.remember(deviceInformation: old) }
            let disk = FaultyFileSystem(dyingAt: operation, moment)
            let result = await Result.catching {
                try await device.reopened(on: disk).store.update { $0.remember(deviceInformation: new) }
            }
            let found = try await device.reopened().store.contents().deviceInformation
            #expect(found == old || found == new)
            guard disk.isDead else {
                #expect(found == new)
                try result.get()
                break
            }
            operation += 1
        }
    }

    @Test("STO-8: many writers at once lose nothing")
    func writers() async throws {
        let device = try await TestDevice()
        try await device.store.update { $0.remember(deviceInformation: [0, 0]) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    let own = try await device.reopened().store
                    for _ in 0..<25 { try await own.update(Self.count) }
                }
            }
            try await group.waitForAll()
        }
        #expect(try await device.store.contents().deviceInformation == [0, 200])
    }

    private static func count(_ contents: inout StoredCredentials) {
        let count = contents.deviceInformation?.last ?? 0
        contents.remember(deviceInformation: [0, count + 1])
    }
}

extension Result where Failure == any Error {
    static func catching(_ body: () async throws -> Success) async -> Result {
        do {
            return .success(try await body())
        } catch {
            return .failure(error)
        }
    }
}

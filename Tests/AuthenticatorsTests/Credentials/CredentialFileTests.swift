import Authenticators
import HardwareKeys
import TestSupport
import Testing
import UAF

@Suite("The file of the credential store")
struct CredentialFileTests {
    @Test("What was stored is there after opening again, and not under another vault")
    func roundTrip() async throws {
        let device = try await TestDevice()
        let credential = try await device.enroll("482913")
        try await device.store.update { $0.remember(deviceInformation: [1, 2, 3]) }
        let contents = try await device.reopened().store.contents()
        #expect(contents == (try await device.store.contents()))
        #expect(contents.credentials == [contents.credential(credential.id)].compactMap { $0 })
        #expect(contents.deviceInformation == [1, 2, 3])
        let other = try SoftwareKeyVault.create(inDirectory: device.folder.path + "/other")
        await #expect(throws: CredentialStoreError.damaged) {
            try await EncryptedFileCredentialStore.open(
                inDirectory: device.folder.path + "/store", sealedBy: other
            ).contents()
        }
    }

    @Test("A file with any byte flipped is refused")
    func flipped() async throws {
        let device = try await TestDevice()
        _ = try await device.enroll("482913")
        let good = try device.folder.bytes(of: "store/credentials")
        for index in good.indices {
            var bad = good
            bad[index] ^= 1 << UInt8(index % 8)
            try device.folder.overwrite("store/credentials", with: bad)
            await #expect(throws: CredentialStoreError.self) { try await device.store.contents() }
        }
    }

    @Test("A file cut at any length, or longer, is refused, and is not written over")
    func cut() async throws {
        let device = try await TestDevice()
        _ = try await device.enroll("482913")
        let good = try device.folder.bytes(of: "store/credentials")
        for bad in (0..<good.count).map({ Array(good.prefix($0)) }) + [good + [0], good + good] {
            try device.folder.overwrite("store/credentials", with: bad)
            await #expect(throws: CredentialStoreError.damaged) {
                try await device.store.update { $0.delete { _ in true } }
            }
            #expect(try device.folder.bytes(of: "store/credentials") == bad)
        }
    }

    @Test("A newer version is refused by its number")
    func newerVersion() async throws {
        let device = try await TestDevice()
        var file = try device.folder.bytes(of: "store/credentials")
        file[4] = 9
        try device.folder.overwrite("store/credentials", with: file)
        await #expect(throws: CredentialStoreError.newerFormat(version: 9)) { try await device.store.contents() }
    }

    @Test("A version from before the first release is refused by its number and left as it is")
    func olderVersion() async throws {
        let device = try await TestDevice()
        var file = try device.folder.bytes(of: "store/credentials")
        file[4] = 2
        try device.folder.overwrite("store/credentials", with: file)
        await #expect(throws: CredentialStoreError.olderFormat(version: 2)) {
            try await device.store.update { $0.delete { _ in true } }
        }
        #expect(try device.folder.bytes(of: "store/credentials") == file)
    }

    @Test("A file or folder that others may enter is refused")
    func exposed() async throws {
        let device = try await TestDevice()
        try device.folder.setPermissions(0o644, of: "store/credentials")
        await #expect(throws: CredentialStoreError.exposed) { try await device.store.contents() }
        try device.folder.setPermissions(0o600, of: "store/credentials")
        try device.folder.setPermissions(0o755, of: "store")
        await #expect(throws: CredentialStoreError.exposed) { try await device.reopened() }
    }

    @Test("No two files have a nonce or salt in common")
    func freshness() async throws {
        let device = try await TestDevice()
        var heads: Set<[UInt8]> = []
        for number in 0..<50 {
            try await device.store.update { $0.remember(deviceInformation: [UInt8(number)]) }
            heads.insert(Array(try device.folder.bytes(of: "store/credentials")[8..<52]))
        }
        #expect(heads.count == 50)
    }

    @Test("A change that changes nothing writes nothing")
    func idle() async throws {
        let device = try await TestDevice()
        let before = try device.folder.bytes(of: "store/credentials")
        try await device.store.update { _ in }
        #expect(try device.folder.bytes(of: "store/credentials") == before)
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

import Argon2KeyDerivation
import HardwareKeys
import Octets
import SecureStorage
import StrictJSON
import TestSupport
import Testing

@Suite("5: Argon2id through the system's library")
struct Argon2KeyDerivationTests {
    private func text(_ secret: VaultSecret?) throws -> String {
        try #require(secret).withUnsafeBytes { $0.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() }
    }

    @Test("It computes what the reference programme computes (phc-winner-argon2, test.c, version 0x13)")
    func reference() throws {
        let secret = Argon2KeyDerivation().argon2id(
            of: .init(copying: "password".utf8), salt: Array("somesalt".utf8), memoryKibibytes: 65_536, passes: 2,
            lanes: 1)
        #expect(try text(secret) == "09316115d5cf24ed5a15a31a3ba326e5cf32edc24702987c02b6566f61913cf7")
    }

    @Test(
        "O-J5: every vector of argon2id gives its tag; a secret, associated data and other sizes are not offered",
        .enabled(if: VectorFolder.isPresent, VectorFolder.absence))
    func vectors() throws {
        let file = try JSONParser.parse(VectorFolder.bytes(of: "kdf/argon2id.json"), limits: .document).asObject()
        let cases = try file.required("cases") { value throws(JSONTypeError) in
            try value.asNonEmptyArray { element throws(JSONTypeError) in try element.asObject() }
        }
        var count = 0
        for vector in cases {
            let extra = try vector.string("secret_hex") + vector.string("ad_hex")
            let isOffered =
                try vector.integer("tagLen", as: Int.self) == 32 && vector.integer("version", as: Int.self) == 19
            guard extra.isEmpty, isOffered else { continue }
            let secret = try Argon2KeyDerivation().argon2id(
                of: .init(copying: Hex.decode(vector.string("password_hex"))),
                salt: Hex.decode(vector.string("salt_hex")),
                memoryKibibytes: vector.integer("m_KiB"), passes: vector.integer("t"), lanes: vector.integer("p"))
            #expect(try text(secret) == vector.string("tag_hex"))
            count += 1
        }
        #expect(count > 0)
    }

    @Test("Impossible costs give nothing")
    func refusals() {
        let function = Argon2KeyDerivation()
        let secret = SecureStorage.Passphrase(copying: "password".utf8)
        #expect(function.argon2id(of: secret, salt: [], memoryKibibytes: 64, passes: 1, lanes: 1) == nil)
        let salt = [UInt8](repeating: 1, count: 32)
        #expect(function.argon2id(of: secret, salt: salt, memoryKibibytes: 64, passes: 0, lanes: 1) == nil)
        #expect(function.argon2id(of: secret, salt: salt, memoryKibibytes: 7, passes: 1, lanes: 1) == nil)
    }

    @Test("A storage whose passphrase is derived with it opens with it, and says so where it is missing")
    func storage() async throws {
        let folder = try TemporaryFolder()
        var configuration = SecureStorage.Configuration(hardware: .none, directory: folder.path + "/storages")
        configuration.passphrase = .init(copying: "correct horse".utf8)
        configuration.kdf = .argon2id(memoryKibibytes: 7_168, passes: 1, lanes: 2)
        configuration.argon2 = Argon2KeyDerivation()
        let storage = try await SecureStorage.createSecureStorage(
            fileName: "test", fingerprint: nil, configuration: configuration)
        try storage.putString("value", forKey: "name")
        try await storage.write()
        let again = try await SecureStorage.createSecureStorage(
            fileName: "test", fingerprint: nil, configuration: configuration)
        #expect(try again.getString(forKey: "name") == "value")
        configuration.argon2 = nil
        await #expect(throws: SecureStorageError.unreadableStorage(.argon2Missing)) {
            try await SecureStorage.createSecureStorage(
                fileName: "test", fingerprint: nil, configuration: configuration)
        }
        configuration.argon2 = Argon2KeyDerivation()
        configuration.passphrase = .init(copying: "wrong horse".utf8)
        await #expect(throws: SecureStorageError.passphraseMismatch) {
            try await SecureStorage.createSecureStorage(
                fileName: "test", fingerprint: nil, configuration: configuration)
        }
    }
}

import HardwareKeys
import SecureStorage
import TestSupport
import Testing

@Suite("6.3 and 9: secrets leave no trace (STO-11)")
struct CanaryTests {
    private let place: StoragePlace

    init() throws {
        place = try StoragePlace()
    }

    @Test("After unload this process holds no copy of a value, whatever its size", arguments: [12, 16, 40, 3_000])
    func memory(count: Int) async throws {
        let needle = OwnMemory.Needle(count: count)
        let storage = try await place.open()
        try storage.putBytes(needle.bytes, forKey: "secret")
        try await storage.write()
        try await storage.update { draft throws(SecureStorageError) in
            try draft.putBytes(needle.bytes, forKey: "second")
        }
        #expect(try storage.withBytes(forKey: "secret") { $0.elementsEqual(needle.bytes) })
        var copy = try storage.getBytes(forKey: "second")
        _ = copy.withUnsafeMutableBytes { $0.initializeMemory(as: UInt8.self, repeating: 0) }
        try await storage.write(fingerprint: "fp", protection: .none)
        storage.unload()
        try await storage.load(fingerprint: "fp")
        _ = try storage.withBytes(forKey: "secret") { $0.count }
        storage.unload()
        #expect(OwnMemory.occurrences(of: needle) == 0)
    }

    @Test("The search finds what is there")
    func control() throws {
        let needle = OwnMemory.Needle(count: 24)
        let copy = [UInt8](needle.bytes)
        #expect(OwnMemory.occurrences(of: needle) >= 1)
        withExtendedLifetime(copy) {}
    }

    @Test("Names and values stand in no file, no error and no description")
    func files() async throws {
        let storage = try await place.open(fingerprint: "canary-fingerprint")
        try storage.putString("canary-value", forKey: "canary-name")
        try storage.putBytes(Array("canary-bytes".utf8), forKey: "canary.other")
        try await storage.write()
        let file = try place.file()
        let wrong = await #expect(throws: SecureStorageError.self) { try await place.open(fingerprint: "canary-wrong") }
        let unknown = #expect(throws: SecureStorageError.self) { try storage.getString(forKey: "canary none") }
        let texts = [
            "\(storage)", String(reflecting: storage), "\(place.configuration)",
            "\(SecureStorage.Passphrase(copying: "canary-passphrase".utf8))",
            String(reflecting: wrong), String(reflecting: unknown),
            String(decoding: file, as: UTF8.self),
        ]
        for text in texts { #expect(!text.contains("canary")) }
    }

    @Test("With names in clear the names stand in the file, and the values do not")
    func clearNames() async throws {
        var clear = place
        clear.configuration.namesInClear = true
        let storage = try await clear.open()
        try storage.putString("canary-value", forKey: "canary-name")
        try await storage.write()
        let text = String(decoding: try place.file(), as: UTF8.self)
        #expect(text.contains("canary-name") && !text.contains("canary-value"))
    }
}

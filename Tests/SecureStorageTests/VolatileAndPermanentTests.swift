import Dispatch
import HardwareKeys
import Locking
import SecureStorage
import TestSupport
import Testing

@Suite("6 and 7: a volatile layer over a permanent one")
struct VolatileAndPermanentTests {
    private let place: StoragePlace

    init() throws {
        place = try StoragePlace()
    }

    @Test("What was written is there when the storage is opened again, texts and bytes of every size (STO-1)")
    func roundTrip() async throws {
        let sizes = Array(0...40) + [255, 256, 4_095, 70_000]
        let storage = try await place.open()
        for size in sizes {
            try storage.putBytes((0..<size).map { UInt8(truncatingIfNeeded: $0) }, forKey: "bytes-\(size)")
            try storage.putString(String(repeating: "ä", count: size), forKey: "text-\(size)")
        }
        try await storage.write()
        let again = try await place.open()
        #expect(again.count == 2 * sizes.count)
        for size in sizes {
            #expect(try again.getBytes(forKey: "bytes-\(size)") == (0..<size).map { UInt8(truncatingIfNeeded: $0) })
            #expect(try again.getString(forKey: "text-\(size)") == String(repeating: "ä", count: size))
        }
    }

    @Test("A value that has to be read from the disk first holds up no other caller, and then lies in memory")
    func coldReading() async throws {
        var place = place
        let disk = FaultyFileSystem()
        place.environment.fileSystem = disk
        let storage = try await place.open()
        try storage.putString("value", forKey: "name")
        try await storage.write()
        let again = try await place.open()
        let count = Lock<Int?>(nil)
        disk.duringReading {
            let isDone = DispatchSemaphore(value: 0)
            try? DetachedThread.start {
                let found = again.count
                count.withLock { $0 = found }
                isDone.signal()
            }
            _ = isDone.wait(timeout: .now() + 10)
        }
        #expect(try again.getString(forKey: "name") == "value")
        #expect(count.withLock { $0 } == 1)
        let calls = disk.operationCount
        #expect(try again.getString(forKey: "name") == "value")
        #expect(disk.operationCount == calls)
    }

    @Test("What was not written is gone when the storage is opened again, and there is no file before the first write")
    func volatile() async throws {
        let storage = try await place.open()
        try storage.putString("value", forKey: "name")
        #expect(storage.hasUnwrittenChanges)
        #expect(!SecureStorage.exists(fileName: "test", configuration: place.configuration))
        let again = try await place.open()
        #expect(again.count == 0)
        try await storage.write()
        #expect(!storage.hasUnwrittenChanges)
        #expect(SecureStorage.exists(fileName: "test", configuration: place.configuration))
    }

    @Test("Names that come, go and change their values between writes stand in order in the file")
    func order() async throws {
        let storage = try await place.open()
        for name in ["m", "c", "x"] { try storage.putString(name, forKey: name) }
        try await storage.write()
        try storage.putString("other", forKey: "m")
        try await storage.write()
        try storage.remove(forKey: "c")
        try await storage.write()
        #expect(try await place.open().getAll().keys.sorted() == ["m", "x"])
        try storage.remove(forKey: "x")
        try storage.putString("new", forKey: "d")
        try await storage.write()
        #expect(try await place.open().getAll().keys.sorted() == ["d", "m"])
        try storage.clear()
        for name in ["b", "a", "z"] { try storage.putString(name, forKey: name) }
        // A file whose names are out of order is refused.
        try await storage.write()
        let again = try await place.open()
        #expect(try again.getAll().keys.sorted() == ["a", "b", "z"])
        #expect(try again.getString(forKey: "z") == "z")
    }
}

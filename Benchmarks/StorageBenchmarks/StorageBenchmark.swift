import BenchmarkSupport
import Crypto
import Foundation
import HardwareKeys
import SecureStorage

/// Benchmark of the secure storage beside SQLCipher.
struct StorageBenchmark {
    private static let usualCount = 1_000
    private static let growth = [10, 100, 1_000, 10_000, 100_000]

    let folder: URL
    let seconds: Double

    /// All figures, in the order in which they are shown.
    ///
    /// Measured from a thread of the pool, where a storage works itself: an application that opens one on its main actor
    /// waits for the way there and back as well, which `openOnMainActor` measures.
    @concurrent
    func figures() async throws -> [Figure] {
        let usual = try await Contestants(Self.usualCount, in: folder)
        var figures = try gets(usual) + puts(usual)
        figures += try await opens(usual)
        figures += try await writes(usual)
        for count in Self.growth { figures += try await grown(to: count) }
        return figures
    }

    /// Time to open as an application waits for it on its main actor: with the way to a thread of the pool and back, onto a core
    /// whose caches hold nothing of the storage.
    @MainActor
    func openOnMainActor() async throws -> [Figure] {
        let pair = try await Contestants(Self.usualCount, in: folder)
        let times = try await Samples.medians(
            seconds: seconds,
            of: [
                { try await Samples.duration { try await pair.openStorage() } },
                { try await Samples.duration { try pair.openDatabase() } },
            ])
        return [Self.time("open-1000-on-main-actor", times[0], "sqlcipher-open-raw-key", times[1])]
    }

    // MARK: - In memory: per second of processor time

    private func gets(_ pair: Contestants) throws -> [Figure] {
        let (key, sealed) = try Self.bareSeal()
        let rates = try Samples.rates(
            seconds: seconds,
            of: [
                { _ = try pair.storage.getString(forKey: pair.names[$0 &* 7919 % pair.count]) },
                { _ = try pair.database.get(pair.names[$0 &* 7919 % pair.count]) },
                { _ in _ = try AES.GCM.open(AES.GCM.SealedBox(combined: sealed), using: key) },
            ])
        return Self.rates("get-string", ours: rates[0], theirs: ("sqlcipher-get", rates[1]), ("aes-gcm-open", rates[2]))
    }

    private func puts(_ pair: Contestants) throws -> [Figure] {
        let (key, _) = try Self.bareSeal()
        let plain = Data(Contestants.value(1).utf8)
        let values = (0..<16).map(Contestants.value)
        let rates = try Samples.rates(
            seconds: seconds,
            of: [
                { try pair.storage.putString(values[$0 % 16], forKey: pair.names[$0 &* 7919 % pair.count]) },
                { _ in _ = try AES.GCM.seal(plain, using: key) },
            ])
        var theirs: [Double] = []
        try pair.database.transaction {
            theirs = try Samples.rates(
                seconds: seconds,
                of: [{ try pair.database.put(values[$0 % 16], pair.names[$0 &* 7919 % pair.count]) }])
        }
        return Self.rates(
            "put-volatile", ours: rates[0], theirs: ("sqlcipher-put-in-transaction", theirs[0]),
            ("aes-gcm-seal", rates[1]))
    }

    private static func rates(
        _ name: String, ours: Double, theirs: (name: String, value: Double), _ floor: (name: String, value: Double)
    ) -> [Figure] {
        [
            Figure(name: name, value: ours, unit: "1/cpu-s", ratio: ours / theirs.value, base: theirs.name),
            Figure(name: theirs.name, value: theirs.value, unit: "1/cpu-s"),
            Figure(
                name: floor.name + "-256", value: floor.value, unit: "1/cpu-s", ratio: ours / floor.value,
                base: name + " as its share"),
        ]
    }

    private static func bareSeal() throws -> (SymmetricKey, Data) {
        let key = SymmetricKey(size: .bits256)
        guard let sealed = try AES.GCM.seal(Data(Contestants.value(0).utf8), using: key).combined else {
            throw BenchmarkFailure.wrongValue
        }
        return (key, sealed)
    }

    // MARK: - With the disk: milliseconds on the wall

    private func opens(_ pair: Contestants) async throws -> [Figure] {
        let path = pair.directory + "/bench.sst"
        let plain = try await Samples.medians(
            seconds: seconds,
            of: [
                { try await Samples.duration { try await pair.openStorage() } },
                { try await Samples.duration { try pair.openDatabase() } },
                { try await Samples.duration { _ = try PosixFileSystem().read(path, atMost: 64 << 20) } },
            ])
        let openers = try await pair.openersWithPassphrase()
        let slow = try await Samples.medians(
            seconds: seconds, of: openers.map { opener in { try await Samples.duration { try await opener() } } })
        return [
            Self.time("open-1000", plain[0], "sqlcipher-open-raw-key", plain[1]),
            Self.time("sqlcipher-open-raw-key", plain[1]),
            Self.time("plain-read", plain[2]),
            Self.time("open-1000-passphrase", slow[0], "sqlcipher-open-passphrase", slow[1]),
            Self.time("sqlcipher-open-passphrase", slow[1]),
        ]
    }

    private func writes(_ pair: Contestants) async throws -> [Figure] {
        let plain = AtomicFile(named: "plain", in: pair.directory, of: PosixFileSystem())
        let bytes = [UInt8](repeating: 0x5A, count: try pair.fileByteCount)
        var round = 0
        let times = try await Samples.medians(
            seconds: seconds,
            of: [
                {
                    round += 1
                    for name in pair.names { try pair.storage.putString(Contestants.value(round), forKey: name) }
                    return try await Samples.duration { try await pair.storage.write() }
                },
                { try await Samples.duration { try plain.replace(with: bytes) } },
                {
                    try await Samples.duration {
                        for name in pair.names { try pair.storage.putString(Contestants.value(-round), forKey: name) }
                        try await pair.storage.write()
                    }
                },
                {
                    try await Samples.duration {
                        try pair.database.transaction {
                            for name in pair.names { try pair.database.put(Contestants.value(round), name) }
                        }
                    }
                },
                { try await Samples.duration { try await Self.putOne(pair, round) } },
                { try await Samples.duration { try pair.database.put(Contestants.value(-round), pair.names[0]) } },
            ])
        return [
            Self.time("write-1000", times[0], "plain-replace", times[1]),
            Self.time("plain-replace", times[1]),
            Self.time("put-and-write-1000", times[2], "sqlcipher-put-1000-durable", times[3]),
            Self.time("sqlcipher-put-1000-durable", times[3]),
            Self.time("put-and-write-1", times[4], "sqlcipher-put-1-durable", times[5]),
            Self.time("sqlcipher-put-1-durable", times[5]),
        ]
    }

    private static func putOne(_ pair: Contestants, _ round: Int) async throws {
        try pair.storage.putString(Contestants.value(round), forKey: pair.names[0])
        try await pair.storage.write()
    }

    private func grown(to count: Int) async throws -> [Figure] {
        let pair = try await Contestants(count, in: folder)
        let plain = AtomicFile(named: "plain", in: pair.directory, of: PosixFileSystem())
        let bytes = [UInt8](repeating: 0x5A, count: try pair.fileByteCount)
        var round = 0
        let times = try await Samples.medians(
            seconds: seconds / 2,
            of: [
                { try await Samples.duration { try await pair.openStorage() } },
                { try await Samples.duration { try pair.openDatabase() } },
                {
                    round += 1
                    return try await Samples.duration { try await Self.putOne(pair, round) }
                },
                { try await Samples.duration { try pair.database.put(Contestants.value(-round), pair.names[0]) } },
                { try await Samples.duration { try plain.replace(with: bytes) } },
            ])
        let rates = try Samples.rates(
            seconds: seconds / 2,
            of: [
                { _ = try pair.storage.getString(forKey: pair.names[$0 &* 7919 % pair.count]) },
                { _ = try pair.database.get(pair.names[$0 &* 7919 % pair.count]) },
            ])
        return [
            Self.time("open-of-\(count)", times[0], "sqlcipher-open-of-\(count)", times[1]),
            Self.time("sqlcipher-open-of-\(count)", times[1]),
            Self.time("put-and-write-1-of-\(count)", times[2], "sqlcipher-put-1-of-\(count)", times[3]),
            Self.time("sqlcipher-put-1-of-\(count)", times[3]),
            Self.time("plain-replace-of-\(count)", times[4], "put-and-write-1-of-\(count)", times[2]),
            Figure(
                name: "get-string-of-\(count)", value: rates[0], unit: "1/cpu-s", ratio: rates[0] / rates[1],
                base: "sqlcipher-get-of-\(count)"),
            Figure(name: "sqlcipher-get-of-\(count)", value: rates[1], unit: "1/cpu-s"),
        ]
    }

    private static func time(_ name: String, _ seconds: Double, _ base: String? = nil, _ other: Double = 1) -> Figure {
        Figure(
            name: name, value: seconds * 1_000, unit: "ms", ratio: base.map { _ in seconds / other }, base: base)
    }
}

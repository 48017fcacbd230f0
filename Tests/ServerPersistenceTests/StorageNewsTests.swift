import Synchronization
import Testing

@testable import ServerPersistence

@Suite("What the operator is told of a database")
struct StorageNewsTests {
    private final class Told: Sendable {
        private let lines = Mutex<[String]>([])
        func add(_ line: String) { lines.withLock { $0.append(line) } }
        var all: [String] { lines.withLock { $0 } }
    }

    private final class Watch: Sendable {
        private let time = Mutex(Duration.zero)
        var now: Duration { time.withLock { $0 } }
        func pass(_ span: Duration) { time.withLock { $0 += span } }
    }

    private let told = Told()
    private let watch = Watch()
    private let news: StorageNews

    init() {
        let (told, watch) = (told, watch)
        news = StorageNews(
            report: { told.add("\($0.trouble ?? "row")") }, recovered: { told.add("works") }, elapsed: { watch.now })
    }

    private static let full = ServerPersistenceError.unavailable(code: 13)
    private static let lost = ServerPersistenceError.server(DatabaseServerFailure(.unreachable))

    @Test("A full disk is told once, however many requests meet it, and once that it is over")
    func once() {
        for _ in 1...100 { news.failed(Self.full, .writing) }
        for _ in 1...100 { news.worked(.reading) }
        watch.pass(.seconds(60))
        news.worked(.reading)
        #expect(told.all == ["the last write failed: the disk is full"])
        news.worked(.writing)
        news.worked(.writing)
        #expect(told.all == ["the last write failed: the disk is full", "works"])
        news.failed(Self.full, .writing)
        #expect(told.all.count == 3)
    }

    @Test("Reading and writing that fail for one reason are one piece of news, which is over with both")
    func both() {
        news.failed(Self.lost, .reading)
        news.failed(Self.lost, .writing)
        #expect(told.all.count == 1)
        watch.pass(StorageNews.quietTime)
        news.worked(.reading)
        #expect(told.all.count == 1)
        news.worked(.writing)
        #expect(told.all.last == "works" && told.all.count == 2)
    }

    @Test("A small write that still fits on the full disk is not the end of it")
    func fitting() {
        for _ in 1...20 {
            news.failed(Self.full, .writing)
            watch.pass(.seconds(1))
            news.worked(.writing)
        }
        #expect(told.all.count == 1)
        watch.pass(StorageNews.quietTime)
        news.worked(.reading)
        #expect(told.all.last == "works" && told.all.count == 2)
    }

    @Test("Another reason is told, and a fault of one row each time")
    func others() {
        news.failed(Self.lost, .writing)
        news.failed(Self.full, .writing)
        #expect(told.all.count == 2)
        for _ in 1...2 { news.failed(.corruptRow(table: "users", column: "name"), .reading) }
        #expect(told.all.suffix(2) == ["row", "row"])
    }
}

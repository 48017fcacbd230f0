import Foundation
import ServerCore
import ServerProcesses
import TestSupport
import Testing

@Suite("Leadership by a lock on a file")
struct FileLeadershipTests {
    private let folder: TestSupport.TemporaryFolder
    private var database: String { folder.path + "/signet.sqlite" }

    init() throws {
        folder = try TestSupport.TemporaryFolder()
    }

    @Test("Of those that ask one leads, and goes on leading; when it has ended the next one does")
    func takingOver() async {
        var first: FileLeadership? = FileLeadership(besides: database)
        let second = FileLeadership(besides: database)
        for _ in 0..<3 {
            #expect(await first?.leads(.maintenance) == true)
            #expect(await !second.leads(.maintenance))
        }
        first = nil
        #expect(await second.leads(.maintenance))
        let third = FileLeadership(besides: database)
        #expect(await !third.leads(.maintenance))
    }

    @Test("Each duty has its leader, and each chain")
    func duties() async {
        let (first, second) = (FileLeadership(besides: database), FileLeadership(besides: database))
        #expect(await first.leads(.maintenance))
        #expect(await second.leads(.pruning(chain: "a")))
        #expect(await first.leads(.pruning(chain: "b/../c")))
        #expect(await !first.leads(.pruning(chain: "a")))
        #expect(await !second.leads(.maintenance))
        #expect(await !second.leads(.pruning(chain: "b/../c")))
    }

    @Test("A file that was removed leaves no two leaders")
    func removedFile() async throws {
        let (first, second) = (FileLeadership(besides: database), FileLeadership(besides: database))
        #expect(await first.leads(.maintenance))
        try FileManager.default.removeItem(atPath: database + ".leader-maintenance")
        #expect(await second.leads(.maintenance))
        #expect(await !first.leads(.maintenance))
    }

    @Test("Where the file cannot be made no process leads")
    func noFolder() async {
        #expect(await !FileLeadership(besides: folder.path + "/missing/signet.sqlite").leads(.maintenance))
    }
}

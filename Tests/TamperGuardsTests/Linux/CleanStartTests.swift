import Foundation
import TestSupport
import Testing

@Suite("Guards raise no false alarm", .serialized)
struct CleanStartTests {
    /// Number of starts.
    private static let count = SlowTests.size("SIGNET_GUARD_STARTS", sample: 200, whole: 10_000)

    @Test("A clean process starts, looks before operations and ends by itself, each time")
    func starts() throws {
        for start in 0..<Self.count {
            let child = try GuardedChild("crash", "none")
            try #require(child.lines == ["started", "acted", "alive"], "start \(start): \(child.signal ?? 0)")
            try #require(child.complaints.isEmpty)
        }
    }

    @Test("A clean process has no finding but those about the machine and its user")
    func findings() throws {
        let child = try GuardedChild("report", "none")
        #expect(child.rules.isEmpty, "\(child.lines)")
    }

    @Test("A clean process goes on for as long as its guards look in the background")
    func background() throws {
        let child = try GuardedChild("crash", "wait")
        #expect(child.lines.last == "alive")
    }

    // Without the whole of /proc no Swift program with tasks lives long: libdispatch itself ends it.
    @Test(
        "A process from which files of /proc are hidden has nothing to fear",
        .enabled(if: geteuid() == 0, "only root may hide files of /proc"), arguments: ["pagemap", "maps", "status"])
    func hiddenFiles(name: String) throws {
        let hide = "mount --bind /dev/null /proc/$$/\(name) && exec \"$0\" \"$@\""
        let child = try GuardedChild("crash", "none", under: ["unshare", "--mount", "sh", "-c", hide])
        #expect(child.lines == ["started", "acted", "alive"], "\(child.complaints)")
    }
}

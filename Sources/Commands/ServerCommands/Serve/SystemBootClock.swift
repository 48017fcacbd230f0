import Foundation
import ServerCore

struct SystemBootClock: BootClock {
    let startID: String?

    init() {
        let text = try? String(contentsOfFile: "/proc/sys/kernel/random/boot_id", encoding: .utf8)
        startID = text?.split(whereSeparator: \.isNewline).first.map(String.init)
    }

    func sinceStart() -> Duration {
        // As integers: the module that declares the members of `timespec` differs from build to build on Linux.
        var time: (seconds: Int, nanoseconds: Int) = (0, 0)
        withUnsafeMutablePointer(to: &time) { words in
            _ = words.withMemoryRebound(to: timespec.self, capacity: 1) { clock_gettime(CLOCK_BOOTTIME, $0) }
        }
        return .seconds(time.seconds) + .nanoseconds(time.nanoseconds)
    }
}

import Foundation
import TestSupport

/// How much the tests do: a sample, all that `script/check-deep` asks for, or the sizes of `script/soak storage`.
enum TestSize {
    /// How often a writing process is killed.
    static let kills = SlowTests.size("SIGNET_STORAGE_KILLS", sample: 200, whole: 1_000)
    /// How often a process is killed that writes a storage anchored in a chip.
    static let chipKills = SlowTests.size("SIGNET_STORAGE_CHIP_KILLS", sample: 20, whole: 20)
    /// Before how many calls to the file system such a process dies by itself: each commit makes about fifteen.
    static let chipCalls = SlowTests.size("SIGNET_STORAGE_CHIP_CALLS", sample: 20, whole: 20)
    /// How often each of eight processes adds to one number.
    static let updates = SlowTests.size("SIGNET_STORAGE_UPDATES", sample: 100, whole: 500)
    /// How often a storage is loaded and unloaded.
    static let loads = SlowTests.size("SIGNET_STORAGE_LOADS", sample: 250, whole: 1_000)
    /// How many commits in a row have every power loss tried.
    static let commits = SlowTests.size("SIGNET_STORAGE_COMMITS", sample: 2, whole: 2)
    /// The seed of everything that is left to chance.
    static let seed = ProcessInfo.processInfo.environment["SIGNET_STORAGE_SEED"].flatMap { UInt64($0) } ?? 1
}

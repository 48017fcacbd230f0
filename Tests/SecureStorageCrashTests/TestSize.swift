import Foundation

/// How much the tests do: what a change has to pass, or what `script/soak storage` asks for.
enum TestSize {
    /// How often a writing process is killed.
    static let kills = number("SIGNET_STORAGE_KILLS", 1_000)
    /// How often a process is killed that writes a storage anchored in a chip.
    static let chipKills = number("SIGNET_STORAGE_CHIP_KILLS", 20)
    /// Before how many calls to the file system such a process dies by itself: each commit makes about fifteen.
    static let chipCalls = number("SIGNET_STORAGE_CHIP_CALLS", 20)
    /// How often each of eight processes adds to one number.
    static let updates = number("SIGNET_STORAGE_UPDATES", 500)
    /// How often a storage is loaded and unloaded.
    static let loads = number("SIGNET_STORAGE_LOADS", 1_000)
    /// How many commits in a row have every power loss tried.
    static let commits = number("SIGNET_STORAGE_COMMITS", 2)
    /// The seed of everything that is left to chance.
    static let seed = UInt64(number("SIGNET_STORAGE_SEED", 1))

    private static func number(_ name: String, _ standard: Int) -> Int {
        ProcessInfo.processInfo.environment[name].flatMap { Int($0) } ?? standard
    }
}

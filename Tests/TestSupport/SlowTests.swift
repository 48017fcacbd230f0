import Foundation

/// `SIGNET_SLOW_TESTS`: whether tests that do the same many times do all of it, as `script/check-deep` asks.
///
/// Without it they do a sample, which `script/test` has time for.
package enum SlowTests {
    /// Whether all of it is asked for.
    package static let areWanted = ProcessInfo.processInfo.environment["SIGNET_SLOW_TESTS"] != nil

    /// How often a test does something: what the variable `name` says, which is above 0, or else one of the sizes.
    package static func size(_ name: String, sample: Int, whole: Int) -> Int {
        let asked = ProcessInfo.processInfo.environment[name].flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil }
        return asked ?? (areWanted ? whole : sample)
    }
}

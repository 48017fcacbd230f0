import Foundation

/// Civil clock: the time of day, which the user can change.
package protocol CivilClock: Sendable {
    var secondsSince1970: Int64 { get }
}

/// The clock of the operating system.
package struct SystemCivilClock: CivilClock {
    package init() {}

    package var secondsSince1970: Int64 { Int64(Date().timeIntervalSince1970) }
}

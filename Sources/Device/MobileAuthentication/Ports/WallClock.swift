import Foundation

/// The time of day, which the user can change.
package protocol WallClock: Sendable {
    /// Seconds since 1970.
    var secondsSince1970: Int64 { get }
}

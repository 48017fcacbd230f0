import Foundation

/// The clock of the operating system.
package struct SystemWallClock: WallClock {
    package init() {}

    package var secondsSince1970: Int64 { Int64(Date().timeIntervalSince1970) }
}

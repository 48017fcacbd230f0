import Foundation
import MobileAuthentication

/// The clock of a phone that was set wrong.
struct ShiftedClock: CivilClock {
    /// How far it is ahead.
    let seconds: Int64

    var secondsSince1970: Int64 { Int64(Date().timeIntervalSince1970) + seconds }
}

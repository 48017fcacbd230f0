public import Foundation

/// A server refused a signed request because its clock and the device's are too far apart.
///
/// It comes as the cause of a `ClockSkewTooBig`.
public struct ClockSkewError: LocalizedError, Hashable, Sendable {
    /// Seconds that the device is ahead of the server, negative when it is behind; nil when the server gave no time.
    public let secondsAhead: Int?

    /// Wraps a measured difference.
    public init(secondsAhead: Int?) { self.secondsAhead = secondsAhead }

    /// Localized description of the difference.
    public var errorDescription: String? { text.localized }

    /// The difference in the largest unit that fits, and its direction.
    var text: SDKText {
        guard let secondsAhead else { return .clocksApart }
        return .clockDifference(Distance(seconds: secondsAhead.magnitude), isAhead: secondsAhead > 0)
    }
}

extension ClockSkewError {
    /// Difference between two clocks, in a unit that people can picture.
    struct Distance: Hashable, Sendable {
        /// Units, from small to large.
        enum Unit: UInt, CaseIterable, Sendable {
            case seconds = 1
            case minutes = 60
            case hours = 3_600
            case days = 86_400
        }

        let count: UInt
        let unit: Unit

        /// Takes the largest unit of which there are two or more, rounded.
        init(seconds: UInt) {
            unit = Unit.allCases.last { Self.count(of: $0, in: seconds) >= 2 } ?? .seconds
            count = Self.count(of: unit, in: seconds)
        }

        private static func count(of unit: Unit, in seconds: UInt) -> UInt {
            seconds / unit.rawValue + (seconds % unit.rawValue >= (unit.rawValue + 1) / 2 ? 1 : 0)
        }
    }
}
